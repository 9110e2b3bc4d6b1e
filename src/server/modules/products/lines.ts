import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { ProductLine } from '../../../contract/contract.ts'
import type { KindFault } from '../../../model/kind.ts'
import { MAX_MONEY, numberFault, type Shape } from '../../../model/kinds/number.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { Faults } from '../../kernel/fields/check-record.ts'
import { faultText } from '../../kernel/fields/field-faults.ts'
import { lineAmount, percentOf, rateOf, sumYuan } from '../../kernel/fields/money.ts'
import { text } from '../../kernel/text/text.ts'

/** Maximum number of lines of one contract or opportunity (DOMAIN 1.9.1). */
const MAX_LINES = 50
const MAX_REMARK = 200
const QUANTITY: Shape = { min: 0, max: 9_999_999.999, decimals: 3 }
const DISCOUNT: Shape = { min: 0, max: 10_000, decimals: 2 }
const MONEY: Shape = { min: 0, max: MAX_MONEY, decimals: 2 }
const KEYS: ReadonlySet<string> = new Set([
  'product_id',
  'product_name',
  'unit',
  'list_price',
  'price',
  'discount',
  'quantity',
  'amount',
  'below_min',
  'remark',
])

/** Lines as they are stored, or their faults by `lines.<index>.<field>`. */
export interface CheckedLines {
  readonly lines: readonly ProductLine[]
  readonly faults: Faults
}

interface Product {
  readonly id: string
  readonly name: string
  readonly unit: string
  readonly price: number
  readonly min_price: number | null
  readonly status: number
}

/**
 * Checks lines and computes the values that depend on price and quantity; values computed by the client are ignored. A product that is in `old` keeps
 * its name, unit and list price from there, even if it is no longer on sale.
 */
export async function checkLines(
  given: Json,
  old: readonly ProductLine[],
  ctx: CallContext,
): Promise<CheckedLines> {
  if (given === null || given === undefined) return { lines: [], faults: {} }
  if (!Array.isArray(given) || given.length > MAX_LINES || !given.every(isObject))
    return { lines: [], faults: { lines: text('line.count', { most: MAX_LINES }) } }
  const rows = given.filter((row) => !isBlank(row))
  const products = await productsOf(rows, ctx)
  const faults: Record<string, string> = {}
  const lines = rows.flatMap((row, index) => {
    const known = old.find((it) => it.product_id === row.product_id)
    const found = checkLine(row, products.get(String(row.product_id)), known)
    for (const [name, message] of Object.entries(found.faults)) faults[`lines.${index}.${name}`] = message
    return found.line === null ? [] : [found.line]
  })
  return { lines, faults }
}

/** The total of the lines after the overall discount, in yuan. @param rate percent */
export function totalOf(lines: readonly ProductLine[], rate: number): number {
  return percentOf(sumYuan(lines.map((line) => line.amount)), rate)
}

function checkLine(
  row: JsonObject,
  product: Product | undefined,
  known: ProductLine | undefined,
): { readonly line: ProductLine | null; readonly faults: Faults } {
  const faults: Record<string, string> = {}
  for (const key of Object.keys(row)) if (!KEYS.has(key)) faults[key] = text('record.unknown-field')
  if (product === undefined || (product.status === 0 && known === undefined))
    return { line: null, faults: { ...faults, product_id: text('line.product') } }
  const list_price = known?.list_price ?? product.price
  const quantity = numberIn(row.quantity, QUANTITY)
  if (typeof quantity !== 'number') faults.quantity = faultText(quantity, text('line.quantity'))
  else if (quantity === 0) faults.quantity = text('contract.amount', { label: text('line.quantity') })
  const price = priceOf(row, list_price)
  if (typeof price !== 'number') faults.price = faultText(price, text('line.price'))
  const remark = typeof row.remark === 'string' ? row.remark.trim() : null
  if (remark !== null && remark.length > MAX_REMARK)
    faults.remark = text('record.length', { label: text('line.remark'), min: 0, max: MAX_REMARK })
  if (typeof price !== 'number' || typeof quantity !== 'number' || Object.keys(faults).length > 0)
    return { line: null, faults }
  const amount = lineAmount(price, quantity)
  const tooMuch = numberFault(amount, MONEY)
  if (tooMuch !== null) return { line: null, faults: { price: faultText(tooMuch, text('line.amount')) } }
  return {
    faults,
    line: {
      product_id: product.id,
      product_name: known?.product_name ?? product.name,
      unit: known?.unit ?? product.unit,
      list_price,
      price,
      discount: rateOf(price, list_price),
      quantity,
      amount,
      below_min: product.min_price !== null && price < product.min_price,
      remark: remark === '' ? null : remark,
    },
  }
}

/** The price, or the discounted list price; the list price if neither is given. */
function priceOf(row: JsonObject, list_price: number): number | KindFault {
  if (row.price !== null && row.price !== undefined && row.price !== '') return numberIn(row.price, MONEY)
  if (row.discount === null || row.discount === undefined || row.discount === '') return list_price
  const discount = numberIn(row.discount, DISCOUNT)
  return typeof discount === 'number' ? percentOf(list_price, discount) : discount
}

const numberIn = (value: Json | undefined, shape: Shape): number | KindFault =>
  numberFault(value, shape) ?? (value as number)

function isBlank(row: JsonObject): boolean {
  return Object.values(row).every((value) => value === null || value === '' || value === false)
}

/** The products of lines, locked so that none is deleted meanwhile. */
async function productsOf(
  rows: readonly JsonObject[],
  { trx, caller }: CallContext,
): Promise<ReadonlyMap<string, Product>> {
  const ids = [...new Set(rows.map((row) => String(row.product_id)))]
  if (ids.length === 0) return new Map()
  const found = await sql<Product>`select id, name, unit, price, min_price, status from product
    where tenant_id = ${caller.tenantId} and id = any(${ids}::text[]) and deleted_at is null
    order by id for share`.execute(trx)
  return new Map(found.rows.map((row) => [row.id, row]))
}
