import { isObject, type Json, type JsonObject, sameJson } from '../../../../runtime/core/json.ts'
import type { AdminDict, AdminDictItem } from '../../../contract/admin.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { removeMenu, saveMenu } from '../admin/admin-menus.ts'
import { saveDictItem } from '../admin/dict-items.ts'
import { isUsed, namingsOfItem } from '../admin/dict-usage.ts'
import { readDict, removeDictItems, saveDict } from '../admin/dicts.ts'
import { readMenus } from '../sign-in/menus.ts'
import { invalidChange } from './invalid-change.ts'
import { type ChangeContext, type ItemKind, unchanged } from './item-kind.ts'

/** Values of a dictionary: `{ id, items }` as in `dict/save`, or one value as in `dict/item`. */
export const DICT: ItemKind = {
  permission: 'system:dict',
  async read(given, doing) {
    const { id } = given
    if (typeof id !== 'string') return invalidChange('id')
    const suffix = Array.isArray(given.items) ? '' : `/${String(given.value ?? '')}`
    return { name: `${id}${suffix}`, content: given, base: valuesNamed(await dictNow(id, doing), given) }
  },
  async apply({ content, base }, doing) {
    const { ctx } = doing
    const id = String(content.id)
    const before = await dictNow(id, doing)
    refuseOther(valuesNamed(before, content), base)
    if (before !== null && isSaid(before, content)) return unchanged(before.name)
    if (Array.isArray(content.items)) await saveDict({ ...content, create: before === null }, ctx)
    else await saveDictItem(content, ctx)
    const after = await readDict(id, ctx)
    const changed = after.items.filter((item) => !before?.items.some((was) => sameItem(was, item)))
    const values = changed.map(({ value }) => value)
    if (before !== null && changed.length === 0 && before.name === after.name) return unchanged(after.name)
    // A new value keeps the code it got when the change was tried.
    const entry = {
      name: Array.isArray(content.items) ? id : `${id}/${values[0] ?? ''}`,
      content: { id, name: after.name, tree: after.tree, items: changed.map((one) => ({ ...one })) },
      base: valuesOf(before, values),
    }
    return {
      title: after.name,
      words: changed.map((one) => describeItem(one, before)),
      undo: { items: valuesOf(before, values), values, isNew: before === null },
      became: valuesOf(after, values),
      changeToStore: entry,
    }
  },
  async now(name, became, doing) {
    const values = isObject(became) ? Object.keys(became) : []
    return valuesOf(await dictNow(name.split('/')[0] ?? '', doing), values)
  },
  async revert(name, { items, values }, doing) {
    const { ctx } = doing
    const id = name.split('/')[0] ?? ''
    const were = isObject(items) ? items : {}
    const dict = await readDict(id, ctx)
    const old = Object.values(were).filter((one): one is JsonObject => isObject(one))
    const fresh = (Array.isArray(values) ? values : []).map(String).filter((one) => !isObject(were[one]))
    const used: string[] = []
    for (const value of fresh)
      if ((await isUsed(id, value, ctx)) || (await namingsOfItem(id, value, ctx)).length > 0) used.push(value)
    // Records and rules keep their texts; the value can no longer be chosen.
    const hidden = dict.items
      .filter(({ value }) => used.includes(value))
      .map((item) => ({ ...item, disabled: true }))
    await saveDict({ id, items: [...old, ...hidden] as Json[] }, ctx)
    const free = fresh.filter((one) => !used.includes(one))
    if (free.length > 0) await removeDictItems({ id, values: free }, ctx)
  },
}

/** A menu entry, as in `menu/save`. */
export const MENU: ItemKind = {
  permission: 'system:menu',
  async read(given, doing) {
    const { id } = given
    const before = await menuNow(id, doing)
    const name = before === null ? `new ${String(given.path)}` : String(id)
    return { name, content: given, base: before }
  },
  async apply({ content, base }, doing) {
    const before = await menuNow(content.id, doing)
    refuseOther(before, base)
    const isSame = before !== null && isPart(content, before, ['id'])
    if (isSame) return unchanged(String(before.title))
    const { recordId = '' } = await saveMenu(content, doing.ctx)
    const after = await menuNow(Number(recordId), doing)
    if (sameJson(before, after)) return unchanged(String(after?.title ?? ''))
    return {
      title: String(after?.title ?? ''),
      words: [
        text(before === null ? 'changeset.menu.added' : 'changeset.menu.changed', {
          name: String(after?.title ?? ''),
          path: String(after?.path ?? ''),
        }),
      ],
      undo: { id: Number(recordId), before },
      became: after,
    }
  },
  now: (_, became, doing) => menuNow(isObject(became) ? became.id : null, doing),
  async revert(_, { id, before }, { ctx }) {
    if (isObject(before)) await saveMenu(before, ctx)
    else await removeMenu({ id: id ?? null }, ctx)
  },
}

async function menuNow(
  id: Json | undefined,
  { ctx: { trx, caller } }: ChangeContext,
): Promise<JsonObject | null> {
  if (id === undefined || id === null || id === '') return null
  const found = (await readMenus(trx, caller.tenantId)).find((one) => one.id === Number(id))
  return found === undefined ? null : ({ ...found } as unknown as JsonObject)
}

async function dictNow(id: string, { ctx }: ChangeContext): Promise<AdminDict | null> {
  const { trx, caller } = ctx
  const known = await trx
    .selectFrom('dict_type')
    .select('key')
    .where('tenant_id', '=', caller.tenantId)
    .where('key', '=', id)
    .executeTakeFirst()
  return known === undefined ? null : readDict(id, ctx)
}

/** The current values that a change refers to. */
function valuesNamed(dict: AdminDict | null, { items, value }: JsonObject): JsonObject {
  const named = Array.isArray(items) ? items.map((item) => (isObject(item) ? item.value : null)) : [value]
  return valuesOf(
    dict,
    named.map((one) => String(one ?? '')),
  )
}

/** Values by their code; null for a missing one. */
function valuesOf(dict: AdminDict | null, values: readonly string[]): JsonObject {
  const named = values.filter((value) => value !== '')
  return Object.fromEntries(
    named.map((value) => {
      const found = dict?.items.find((item) => item.value === value)
      return [value, found === undefined ? null : ({ ...found } as unknown as Json)]
    }),
  )
}

/** Whether a dictionary already says all that a change of several values says. */
function isSaid(dict: AdminDict, { name = null, items }: JsonObject): boolean {
  if (!Array.isArray(items) || (name !== null && name !== dict.name)) return false
  return items.every((item) => {
    const found = isObject(item) ? dict.items.find(({ value }) => value === item.value) : undefined
    return found !== undefined && isObject(item) && isPart(item, { ...found })
  })
}

/** Whether an object has all properties of another. @param but  properties that do not count */
const isPart = (given: JsonObject, whole: JsonObject, but: readonly string[] = []): boolean =>
  Object.entries(given).every(
    ([key, value = null]) => but.includes(key) || sameJson(value, whole[key] ?? null),
  )

const sameItem = (one: AdminDictItem, other: AdminDictItem): boolean =>
  sameJson(one as unknown as Json, other as unknown as Json)

function describeItem(item: AdminDictItem, before: AdminDict | null): string {
  const was = before?.items.find(({ value }) => value === item.value)
  if (was === undefined) return text('changeset.dict.added', { name: item.label })
  if (was.label !== item.label) return text('changeset.dict.renamed', { was: was.label, is: item.label })
  return text('changeset.dict.changed', { name: item.label })
}

/** @throws Refusal 409 if somebody has meanwhile changed the basis of a change */
function refuseOther(now: Json, base: Json): void {
  if (!sameJson(now, base))
    refuse(409, 'VERSION_CONFLICT', text('changeset.changed-since'), { data: { current: now } })
}
