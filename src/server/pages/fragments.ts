import { type Problem, problem } from '../../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import { fragmentName } from '../../../runtime/core/page/fragments.ts'
import { joinPointer } from '../../../runtime/core/page/pointer.ts'

/** Where a part of the resolved document was written. */
export interface Origin {
  readonly file: string
  readonly at: string
}

/** A document with its fragments in place. */
export interface Resolved {
  readonly document: Json
  readonly problems: readonly (Problem & Origin)[]
  /** Pointer in the resolved document → file and pointer the author knows. */
  originOf(at: string): Origin
}

/** Reads `schemas/fragments/<name>.json`: a widget list, or an object that has one. */
export type FindFragment = (name: string) => { readonly file: string; readonly content: Json } | undefined

/**
 * Replaces each list item that refers to a fragment, `{ "fragment": "customer/form" }`, by the widgets of that fragment (PAGE-FORMAT). Fragments may use
 * fragments. An unknown name or a circle is a problem and leaves the item out.
 */
export function resolveFragments(document: Json, file: string, find: FindFragment): Resolved {
  const origins = new Map<string, Origin>([['', { file, at: '' }]])
  const problems: (Problem & Origin)[] = []

  const copy = (value: Json, from: Origin, to: string, open: readonly string[]): Json => {
    if (Array.isArray(value)) return copyList(value, from, to, open)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        copy(child ?? null, { file: from.file, at: joinPointer(from.at, key) }, joinPointer(to, key), open),
      ]),
    )
  }

  const copyList = (list: readonly Json[], from: Origin, to: string, open: readonly string[]): Json[] => {
    const out: Json[] = []
    const add = (items: readonly Json[], source: Origin, names: readonly string[]): void => {
      items.forEach((item, index) => {
        const at = { file: source.file, at: joinPointer(source.at, index) }
        const name = fragmentName(item)
        if (name !== null) {
          enter(name, at, names)
          return
        }
        const place = joinPointer(to, out.length)
        if (items !== list || out.length !== index) origins.set(place, at)
        out.push(copy(item, at, place, names))
      })
    }
    const enter = (name: string, at: Origin, names: readonly string[]): void => {
      const found = find(name)
      if (found === undefined) {
        problems.push({ ...problem('FRAGMENT_UNKNOWN', at.at, { name }), ...at })
      } else if (names.includes(name)) {
        problems.push({ ...problem('FRAGMENT_CYCLE', at.at, { path: [...names, name].join(' → ') }), ...at })
      } else {
        const inner = widgetsOf(found.content)
        add(inner.list, { file: found.file, at: inner.at }, [...names, name])
      }
    }
    add(list, from, open)
    return out
  }

  return {
    document: copy(document, { file, at: '' }, '', []),
    problems,
    originOf: (at) => originIn(origins, at, file),
  }
}

function widgetsOf(content: Json): { list: readonly Json[]; at: string } {
  if (Array.isArray(content)) return { list: content, at: '' }
  const list = (content as JsonObject | null)?.widgetList
  return { list: Array.isArray(list) ? list : [], at: '/widgetList' }
}

/** The nearest recorded place above `at`, with the rest of the way. */
function originIn(origins: ReadonlyMap<string, Origin>, at: string, file: string): Origin {
  for (let end = at.length; end >= 0; end = at.lastIndexOf('/', end - 1)) {
    const origin = origins.get(at.slice(0, Math.max(0, end)))
    if (origin !== undefined) return { file: origin.file, at: origin.at + at.slice(Math.max(0, end)) }
    if (end <= 0) break
  }
  return { file, at }
}
