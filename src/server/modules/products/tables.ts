import type { Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { CommonColumns } from '../../kernel/db/tables.ts'
import type { SearchColumns } from '../../kernel/words/search-columns.ts'

/** Product 产品 (DOMAIN 1.9). */
export interface ProductTable extends CommonColumns, Omit<SearchColumns, 'mobile_norm'> {
  name: string
  product_no: string
  category_id: string
  category_path: Generated<string[]>
  unit: string
  price: number
  cost: Generated<number | null>
  min_price: Generated<number | null>
  tax_rate: Generated<string | null>
  spec: Generated<string | null>
  images: Generated<Json>
  detail: Generated<string | null>
  sort: Generated<number>
  status: Generated<number>
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    product: ProductTable
  }
}
