import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { AdminDictItem } from '../../../contract/admin.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { readDict, saveDict } from './dicts.ts'
import { givenId, invalid, shortText } from './input.ts'
import type { AdminResult } from './kind.ts'

/**
 * Adds a value at the end of a dictionary, or changes one. A new value gets a generated code; if it becomes
 * the default, it replaces the previous default.
 *
 * @param body  `id` the key, `value` ('' for a new one), `label`, `color`, `disabled`, `is_default`, `parent`
 */
export async function saveDictItem(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  await lockDict(body, ctx)
  const dict = await readDict(givenId(body), ctx)
  const given = shortText(body.value, 'value', 64)
  const before = dict.items.find((item) => item.value === given)
  if (given !== '' && before === undefined) refuse(404, 'NOT_FOUND', text('call.not-found'))
  const value = before?.value ?? `v${newId(ctx.now.getTime()).slice(-12)}`
  const label = shortText(body.label ?? before?.label, 'label', 40, 1)
  const parent = shortText(body.parent ?? before?.parent, 'parent', 64)
  const isTaken = (item: AdminDictItem) =>
    item.value !== value && item.parent === parent && item.label === label
  if (dict.items.some(isTaken)) refuseFaults({ label: text('admin.dict.label-taken') })
  const item = {
    value,
    label,
    color: shortText(body.color ?? before?.color, 'color', 20),
    sort: before?.sort ?? Math.max(-1, ...dict.items.map((one) => one.sort)) + 1,
    disabled: flag(body.disabled, 'disabled', before?.disabled),
    parent,
    is_default: flag(body.is_default, 'is_default', before?.is_default),
  }
  if (item.is_default && item.disabled) refuseFaults({ is_default: text('admin.dict.default-disabled') })
  const others = item.is_default
    ? dict.items.filter((one) => one.is_default && one.value !== value).map(withoutDefault)
    : []
  return saveDict({ id: dict.key, items: [item, ...others] }, ctx)
}

/** Swaps a value with its neighbour of the same parent; at the end it stays. @param body `id`, `value`, `by` -1 or 1 */
export async function moveDictItem(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  await lockDict(body, ctx)
  const dict = await readDict(givenId(body), ctx)
  const moved = dict.items.find((item) => item.value === body.value)
  if (moved === undefined) return refuse(404, 'NOT_FOUND', text('call.not-found'))
  const { by } = body
  if (by !== 1 && by !== -1) return invalid('by')
  const siblings = dict.items.filter((item) => item.parent === moved.parent)
  const at = siblings.indexOf(moved)
  const order = siblings.filter((item) => item !== moved)
  order.splice(Math.max(0, at + by), 0, moved)
  // Only the positions of the siblings are exchanged: other branches of a tree are not touched.
  const places = placesOf(siblings)
  const items = order.map((item, index) => ({ ...item, sort: places[index] ?? index }))
  return saveDict({ id: dict.key, items: items as unknown as Json }, ctx)
}

function placesOf(siblings: readonly AdminDictItem[]): readonly number[] {
  const places: number[] = []
  for (const { sort } of siblings) places.push(Math.max(sort, (places.at(-1) ?? -1) + 1))
  return places
}

function withoutDefault(item: AdminDictItem): JsonObject {
  return { ...item, is_default: false }
}

function flag(value: Json | undefined, name: string, fallback = false): boolean {
  const given = value ?? fallback
  return typeof given === 'boolean' ? given : invalid(name)
}

async function lockDict(body: JsonObject, { trx, caller }: CallContext): Promise<void> {
  const key = `dict/${caller.tenantId}/${givenId(body)}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
}
