import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { ProductLine } from '../../../contract/contract.ts'
import { MAX_MONEY } from '../../../model/kinds/number.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { Faults } from '../../kernel/fields/check-record.ts'
import { hasDigits, lineAmount, percentOf, rateOf, sumYuan } from '../../kernel/fields/money.ts'
import { type TextCode, text } from '../../kernel/text/text.ts'

/** Maximum number of lines of one contract or opportunity (DOMAIN 1.9.1). */
const MAX_LINES = 50
const MAX_QUANTITY = 9_999_999.999
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
  const quantity = numberIn(row.quantity, 3, MAX_QUANTITY)
  if (quantity === null || quantity <= 0) faults.quantity = wrong('line.quantity')
  const price = priceOf(row, list_price)
  if (price === null) faults.price = wrong('line.price')
  const remark = typeof row.remark === 'string' ? row.remark.trim() : null
  if (remark !== null && remark.length > 200) faults.remark = wrong('line.remark')
  if (price === null || quantity === null || Object.keys(faults).length > 0) return { line: null, faults }
  const amount = lineAmount(price, quantity)
  if (amount > MAX_MONEY) return { line: null, faults: { price: wrong('line.amount') } }
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
function priceOf(row: JsonObject, list_price: number): number | null {
  if (row.price !== null && row.price !== undefined && row.price !== '')
    return numberIn(row.price, 2, MAX_MONEY)
  if (row.discount === null || row.discount === undefined || row.discount === '') return list_price
  const discount = numberIn(row.discount, 2, 10_000)
  return discount === null ? null : percentOf(list_price, discount)
}

function numberIn(value: Json | undefined, digits: number, most: number): number | null {
  const isNumber = typeof value === 'number' && value >= 0 && value <= most
  return isNumber && hasDigits(value, digits) ? value : null
}

function wrong(code: TextCode): string {
  return text('record.format', { label: text(code) })
}

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
