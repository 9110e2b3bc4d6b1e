import { isObject, type Json, type JsonObject } from '../json.ts'

/** Steps from the document to a value in it. */
export type Path = readonly (string | number)[]

/** The smallest change of a JSON value: one key of an object, or one item of a list. */
export type Patch =
  | { readonly do: 'put'; readonly path: Path; readonly value: Json; readonly place?: number }
  | { readonly do: 'drop'; readonly path: Path }
  | { readonly do: 'insert'; readonly list: Path; readonly index: number; readonly value: Json }
  | { readonly do: 'take'; readonly list: Path; readonly index: number }

/** The value a path leads to; undefined where it leads nowhere. */
export function atPath(root: Json | undefined, path: Path): Json | undefined {
  let at = root
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as Readonly<Record<string | number, Json>>)[step]
  }
  return at
}

/** The value with the patch in it; all that is not on its way is shared. */
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

/** @param place  where a new key stands among the others; else behind them */
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
