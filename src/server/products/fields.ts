import { MONEY_MOST } from '../../model/kinds/number.ts'
import type { InputFields } from '../records/input.ts'

const MONEY = { kind: 'number', min: 0, max: MONEY_MOST } as const

/** Everything a user may write of a product (DOMAIN 1.9). */
export const PRODUCT_FIELDS = {
  name: { kind: 'text', max: 100, label: 'product.field.name', required: true },
  product_no: { kind: 'text', max: 40, label: 'product.field.product_no' },
  category_id: {
    kind: 'dict',
    dict: 'product_category',
    label: 'product.field.category_id',
    required: true,
  },
  unit: { kind: 'dict', dict: 'product_unit', label: 'product.field.unit', required: true },
  price: { ...MONEY, label: 'product.field.price', required: true },
  cost: { ...MONEY, label: 'product.field.cost' },
  min_price: { ...MONEY, label: 'product.field.min_price' },
  tax_rate: { kind: 'dict', dict: 'tax_rate', label: 'product.field.tax_rate' },
  spec: { kind: 'text', max: 200, label: 'product.field.spec' },
  images: { kind: 'files', most: 9, label: 'product.field.images' },
  detail: { kind: 'text', max: 20_000, label: 'product.field.detail' },
  sort: { kind: 'number', min: 0, max: 1_000_000, label: 'product.field.sort' },
} as const satisfies InputFields

export const PRODUCT_DIGITS = { price: 2, cost: 2, min_price: 2, sort: 0 } as const

/** Fields that `patch` may set on many products at once (DOMAIN 8.3). */
export const PRODUCT_PATCH_FIELDS = {
  category_id: PRODUCT_FIELDS.category_id,
  unit: PRODUCT_FIELDS.unit,
  tax_rate: PRODUCT_FIELDS.tax_rate,
  sort: PRODUCT_FIELDS.sort,
} as const satisfies InputFields
