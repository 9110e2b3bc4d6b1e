import { isObject, type Json, type JsonObject } from '../json.ts'
import { joinPointer } from '../page/pointer.ts'
import type { Edit, SetValue, Spot } from './edit.ts'
import { type Item, type ItemKey, itemsOf, keysByPlace, PAGE } from './entries.ts'
import { applyPatch, atPath, type Patch, type Path, patchesBetween } from './patch.ts'

/** The result of an edit. */
export interface Applied {
  readonly document: Json
  /** The inverse edit: applied to {@link document} it restores the previous document, including the order of keys. */
  readonly inverse: Edit
  /** The edit as patches of the JSON, for the text. */
  readonly patches: readonly Patch[]
  /** The new key of the edited item; null if there is none. */
  readonly key: ItemKey | null
}

/** Applies an edit; null if that is impossible: an item is missing, or would be moved into itself. */
export function applyEdit(document: Json, edit: Edit): Applied | null {
  switch (edit.do) {
    case 'set':
      return set(document, edit)
    case 'insert':
      return insert(document, edit.spot, edit.item)
    case 'remove':
      return remove(document, edit.id)
    case 'move':
      return move(document, edit.id, edit.spot)
    case 'all':
      return all(document, edit.edits)
  }
}

/** The path of an item: lists and indexes in turn. */
function pathOf({ at }: Item): Path {
  return at
    .split('/')
    .slice(1)
    .map((step, i) => (i % 2 === 0 ? step : Number(step)))
}

function pathOfContainer(document: Json, id: ItemKey): Path | null {
  if (id === PAGE) return []
  const item = itemsOf(document).get(id)
  return item === undefined ? null : pathOf(item)
}

/** Key of the item at a path. */
function keyAt(document: Json, path: Path): ItemKey | null {
  if (path.length === 0) return PAGE
  return keysByPlace(document).get(path.reduce<string>(joinPointer, '')) ?? null
}

const samePath = (a: Path, b: Path): boolean => a.length === b.length && a.every((step, i) => step === b[i])

function set(document: Json, edit: SetValue): Applied | null {
  const { id = PAGE, path, value } = edit
  const base = pathOfContainer(document, id)
  if (base === null) return null
  if (path.length === 0) return value === undefined ? null : replace(document, base, value)
  return value === undefined ? drop(document, base, path) : putValue(document, base, edit, value)
}

/** The whole item, or the whole document. */
function replace(document: Json, base: Path, value: Json): Applied | null {
  const before = atPath(document, base)
  if (before === undefined || (base.length > 0 && !isObject(value))) return null
  return setBy(patchesBetween(base, before, value), document, base, { path: [], value: before })
}

/** Entries of a list are removed by a new value of the list, not as keys. */
function drop(document: Json, base: Path, path: readonly string[]): Applied | null {
  const full = [...base, ...path]
  const before = atPath(document, full)
  if (before === undefined)
    return { document, inverse: { do: 'all', edits: [] }, patches: [], key: keyAt(document, base) }
  const holder = atPath(document, full.slice(0, -1))
  if (!isObject(holder)) return null
  const place = Object.keys(holder).indexOf(path.at(-1) ?? '')
  return setBy([{ do: 'drop', path: full }], document, base, { path, value: before, place })
}

/** Missing objects on the path are created. */
function putValue(document: Json, base: Path, { path, place }: SetValue, value: Json): Applied | null {
  let known = 0
  while (known < path.length - 1 && atPath(document, [...base, ...path.slice(0, known + 1)]) !== undefined)
    known += 1
  if (!isObject(atPath(document, [...base, ...path.slice(0, known)]))) return null
  const top = path.slice(0, known + 1)
  const at = [...base, ...top]
  const nested = path.slice(known + 1).reduceRight<Json>((inner, step) => ({ [step]: inner }), value)
  const before = atPath(document, at)
  if (before !== undefined)
    return setBy(patchesBetween(at, before, nested), document, base, { path: top, value: before })
  const patch: Patch = { do: 'put', path: at, value: nested, ...(place === undefined ? {} : { place }) }
  return setBy([patch], document, base, { path: top })
}

function setBy(
  patches: readonly Patch[],
  document: Json,
  base: Path,
  back: Omit<SetValue, 'do' | 'id'>,
): Applied {
  const next = patches.reduce(applyPatch, document)
  const key = keyAt(next, base)
  return { document: next, inverse: { do: 'set', ...named(key), ...back }, patches, key }
}

const named = (key: ItemKey | null): { id?: ItemKey } => (key === null || key === PAGE ? {} : { id: key })

function insert(document: Json, { into, slot, index }: Spot, item: JsonObject): Applied | null {
  const holder = pathOfContainer(document, into)
  if (holder === null) return null
  const list = [...holder, slot]
  const existing = atPath(document, list)
  if (!Array.isArray(existing)) return insertFirst(document, into, slot, item)
  const at = Math.max(0, Math.min(index, existing.length))
  const patch: Patch = { do: 'insert', list, index: at, value: item }
  const next = applyPatch(document, patch)
  const key = keyAt(next, [...list, at])
  return key === null ? null : { document: next, inverse: { do: 'remove', id: key }, patches: [patch], key }
}

/** A container without a list gets one. */
function insertFirst(document: Json, into: ItemKey, slot: string, item: JsonObject): Applied | null {
  const created = set(document, { do: 'set', ...named(into), path: [slot], value: [item] })
  if (created === null) return null
  const holder = pathOfContainer(created.document, created.key ?? PAGE) ?? []
  const key = keyAt(created.document, [...holder, slot, 0])
  return key === null ? null : { ...created, key }
}

function remove(document: Json, id: ItemKey): Applied | null {
  const item = itemsOf(document).get(id)
  if (item === undefined) return null
  const path = pathOf(item)
  const patch: Patch = { do: 'take', list: path.slice(0, -1), index: item.index }
  const next = applyPatch(document, patch)
  const into = keyAt(next, path.slice(0, -2))
  if (into === null) return null
  const spot = { into, slot: item.slot, index: item.index }
  return { document: next, inverse: { do: 'insert', spot, item: item.written }, patches: [patch], key: into }
}

function move(document: Json, id: ItemKey, spot: Spot): Applied | null {
  const item = itemsOf(document).get(id)
  const target = pathOfContainer(document, spot.into)
  if (item === undefined || target === null) return null
  const path = pathOf(item)
  if (samePath(target.slice(0, path.length), path)) return null
  const removal = remove(document, id)
  if (removal === null) return null
  const into = keyAt(removal.document, withoutItem(target, path))
  if (into === null) return null
  const placed = insert(removal.document, { ...spot, into }, item.written)
  if (placed === null) return null
  return {
    document: placed.document,
    inverse: { do: 'all', edits: [placed.inverse, removal.inverse] },
    patches: [...removal.patches, ...placed.patches],
    key: placed.key,
  }
}

/** The path of `target` after the item at `path` was removed. */
function withoutItem(target: Path, path: Path): Path {
  const last = path.length - 1
  const step = target[last]
  const isBehind =
    samePath(target.slice(0, last), path.slice(0, -1)) &&
    typeof step === 'number' &&
    step > Number(path[last])
  return isBehind ? target.with(last, step - 1) : target
}

function all(document: Json, edits: readonly Edit[]): Applied | null {
  let now: Pick<Applied, 'document' | 'key'> = { document, key: null }
  const inverses: Edit[] = []
  const patches: Patch[] = []
  for (const edit of edits) {
    const next = applyEdit(now.document, edit)
    if (next === null) return null
    inverses.unshift(next.inverse)
    patches.push(...next.patches)
    now = next
  }
  return { document: now.document, inverse: { do: 'all', edits: inverses }, patches, key: now.key }
}
