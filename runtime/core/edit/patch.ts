import { isObject, type Json, type JsonObject, ownValue } from '../json.ts'

/** Steps from the document to a value in it. */
export type Path = readonly (string | number)[]

/** The smallest change of a JSON value: one key of an object, or one item of a list. */
export type Patch =
  | { readonly do: 'put'; readonly path: Path; readonly value: Json; readonly place?: number }
  | { readonly do: 'drop'; readonly path: Path }
  | { readonly do: 'insert'; readonly list: Path; readonly index: number; readonly value: Json }
  | { readonly do: 'take'; readonly list: Path; readonly index: number }

/** The value at a path; undefined if there is none. */
export function atPath(root: Json | undefined, path: Path): Json | undefined {
  let at = root
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as Readonly<Record<string | number, Json>>)[step]
  }
  return at
}

/** The value with the patch applied; everything outside its path is shared. */
export function applyPatch(root: Json, patch: Patch): Json {
  switch (patch.do) {
    case 'put':
      if (patch.path.length === 0) return patch.value
      return within(root, patch.path.slice(0, -1), (holder) =>
        withKey(holder, patch.path.at(-1) ?? '', patch.value, patch.place),
      )
    case 'drop':
      return within(root, patch.path.slice(0, -1), (holder) => withoutKey(holder, patch.path.at(-1) ?? ''))
    case 'insert':
      return within(root, patch.list, (list) =>
        Array.isArray(list) ? list.toSpliced(patch.index, 0, patch.value) : list,
      )
    case 'take':
      return within(root, patch.list, (list) => (Array.isArray(list) ? list.toSpliced(patch.index, 1) : list))
  }
}

function within(root: Json, path: Path, change: (value: Json) => Json): Json {
  const [step, ...rest] = path
  if (step === undefined) return change(root)
  const inner = atPath(root, [step])
  if (inner === undefined) return root
  return withKey(root, step, within(inner, rest, change))
}

/** @param place  the position of a new key among the others; default: last */
function withKey(holder: Json, key: string | number, value: Json, place?: number): Json {
  if (Array.isArray(holder)) return holder.with(Number(key), value)
  if (!isObject(holder)) return holder
  if (place === undefined || Object.hasOwn(holder, key)) return { ...holder, [key]: value }
  return Object.fromEntries(Object.entries(holder).toSpliced(place, 0, [String(key), value])) as JsonObject
}

function withoutKey(holder: Json, key: string | number): Json {
  if (!isObject(holder)) return holder
  return Object.fromEntries(Object.entries(holder).filter(([name]) => name !== String(key)))
}

/** The patches that change one value into the other at a path, as small as possible, so that a text keeps everything around them. */
export function patchesBetween(path: Path, before: Json, after: Json): readonly Patch[] {
  const found = smallestPatches(path, before, after)
  const wrapped = found.map((patch) => rebased(patch, path.length))
  // If the order of keys differs, there is no smaller change.
  const isMade = isSame(wrapped.reduce(applyPatch, before), after)
  return isMade ? found : [{ do: 'put', path, value: after }]
}

function smallestPatches(path: Path, before: Json, after: Json): readonly Patch[] {
  if (isSame(before, after)) return []
  if (Array.isArray(before) && Array.isArray(after)) return listPatches(path, before, after)
  if (!isObject(before) || !isObject(after)) return [{ do: 'put', path, value: after }]
  const names = Object.keys(after)
  return [
    ...Object.keys(before).flatMap((name): readonly Patch[] =>
      ownValue(after, name) === undefined ? [{ do: 'drop', path: [...path, name] }] : [],
    ),
    ...names.flatMap((name, place): readonly Patch[] => {
      const [was, is] = [ownValue(before, name), after[name] ?? null]
      return was === undefined
        ? [{ do: 'put', path: [...path, name], value: is, place }]
        : smallestPatches([...path, name], was, is)
    }),
  ]
}

/** Entries in the middle of a list: existing ones are changed, the others added or removed. */
function listPatches(list: Path, before: readonly Json[], after: readonly Json[]): readonly Patch[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && isSame(before[start], after[start])) start += 1
  let end = 0
  while (end < shorter - start && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1
  const both = shorter - start - end
  const changed = Array.from({ length: both }, (_, i) =>
    smallestPatches([...list, start + i], before[start + i] ?? null, after[start + i] ?? null),
  ).flat()
  const index = start + both
  const removed = Math.max(0, before.length - end - index)
  const added = after.slice(index, after.length - end)
  return [
    ...changed,
    ...Array.from({ length: removed }, (): Patch => ({ do: 'take', list, index })),
    ...added.map((value, i): Patch => ({ do: 'insert', list, index: index + i, value })),
  ]
}

/** The patch relative to the value at the first steps of its path. */
function rebased(patch: Patch, steps: number): Patch {
  return 'path' in patch
    ? { ...patch, path: patch.path.slice(steps) }
    : { ...patch, list: patch.list.slice(steps) }
}

/** Equality, including the order of keys. */
const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
