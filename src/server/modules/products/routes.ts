import { callerOf } from '../../kernel/auth/caller.ts'
import { fieldRight } from '../../kernel/auth/field-rights.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { batchOf, type RecordKind, standardRoutes, writer } from '../../kernel/calls/standard-routes.ts'
import { patching } from '../../kernel/records/checked-write.ts'
import { categoryTree, lockCategories, removeCategory, saveCategory } from './categories.ts'
import { type ProductRow, productCard, productList, productOptions } from './list-spec.ts'
import { findProduct, productDetail } from './product.ts'
import {
  createProduct,
  patchProduct,
  removeProduct,
  restoreProduct,
  setStatus,
  updateProduct,
} from './write-product.ts'

const PRODUCT: RecordKind<ProductRow> = {
  name: 'product',
  module: 'product',
  list: productList,
  card: productCard,
  detail: productDetail,
  create: createProduct,
  update: updateProduct,
  remove: removeProduct,
  restore: restoreProduct,
  options: productOptions,
  formPage: '/pages/product/add',
}

/** /mini/product/… (DOMAIN 8.3, 8.4). */
export const productRoutes: Resource = (app, services) => {
  standardRoutes(app, services, PRODUCT)
  const write = writer(app, services, 'product')
  write(
    '/mini/product/status',
    'product:status',
    batchOf((id, ctx, body) => setStatus(id, body.status, ctx)),
  )
  write(
    '/mini/product/patch',
    'product:edit',
    batchOf(
      patching('product', (id, ctx) => findProduct(id, ctx, true), patchProduct),
      (_ids, ctx) => lockCategories(ctx),
    ),
  )
  // The fields of a product that this caller may write, for the form.
  app.get('/mini/product/form', { config: { permission: 'product:view' } }, (request) =>
    Promise.resolve({ cost: fieldRight(callerOf(request), 'product', 'cost') }),
  )
  app.get('/mini/product/category/tree', { config: { permission: 'product:view' } }, (request) =>
    runRead(services, callerOf(request), async (ctx) => ({ list: await categoryTree(ctx) })),
  )
  const category = writer(app, services, 'product_category')
  category('/mini/product/category/save', 'product:edit', saveCategory)
  category('/mini/product/category/delete', 'product:edit', removeCategory)
}
