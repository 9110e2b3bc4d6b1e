import { type Phrase, phrase } from '../errors.ts'
import { HOOKS_NOT_RUN } from '../hooks/catalogue-hooks.ts'
import { HOOKS } from '../hooks/hook-names.ts'
import { CATALOGUE, REFUSED } from '../hooks/script-catalogue.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { isCodeKey } from '../page/has-code.ts'
import { joinPointer } from '../page/pointer.ts'
import type { WidgetRegistry } from '../page/widget-spec.ts'
import { parsePage } from '../parse-page.ts'

/** A feature of a foreign document that is not supported here. */
export interface NotSupported {
  readonly kind: 'widget' | 'hook' | 'method'
  readonly name: string
  /** JSON pointer into the document. */
  readonly at: string
  /** What happens instead, or what to use. */
  readonly instead: Phrase
}

export interface CodeSlot {
  readonly hook: string
  readonly code: string
  /** JSON pointer into the document. */
  readonly at: string
}

const KNOWN = new Set(CATALOGUE.map(({ name }) => name))
/** Members of fields that belong to the language and not to our methods. */
const LANGUAGE = new Set(['hasOwnProperty', 'toString', 'valueOf'])

/**
 * The unsupported features of a VForm document, each name once, as far as its text reveals them: widgets drawn as a notice, hooks that are not run,
 * names that its code will not find. Empty for a document that cannot be opened: its problems give the reason.
 */
export function notSupportedIn(document: JsonObject, registry: WidgetRegistry): readonly NotSupported[] {
  const parsed = parsePage(document, { registry })
  if (!parsed.ok) return []
  const widgets = [...parsed.page.nodes.values()]
    .filter(({ type }) => type === 'unsupported')
    .map(
      ({ widget, pointer }): NotSupported => ({
        kind: 'widget',
        name: widget.type,
        at: pointer,
        instead: phrase('a notice'),
      }),
    )
  const seen = new Set<string>()
  return [...widgets, ...codeSlots(document).flatMap(notHonoured)].filter(({ kind, name }) => {
    const key = `${kind} ${name}`
    return !seen.has(key) && seen.add(key)
  })
}

/** No page that opens is nested deeper. */
export const MAX_DEPTH = 400

/** Every filled code slot of a document. */
export function codeSlots(value: Json | undefined, at = '', depth = 0): readonly CodeSlot[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((part, i) => codeSlots(part, joinPointer(at, i), depth + 1))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, part]) => {
    const place = joinPointer(at, key)
    if (typeof part !== 'string') return codeSlots(part, place, depth + 1)
    return isCodeKey(key) && part.trim() !== '' ? [{ hook: key, code: part, at: place }] : []
  })
}

function notHonoured({ hook, code, at }: CodeSlot): readonly NotSupported[] {
  if (!(hook in HOOKS) && hook !== 'functions') {
    const note = HOOKS_NOT_RUN[hook]
    return [
      {
        kind: 'hook',
        name: hook,
        at,
        instead: note === undefined ? phrase('unknown') : { words: note, params: {} },
      },
    ]
  }
  const refused = REFUSED.filter(({ owner, name }) =>
    owner === 'global'
      ? new RegExp(`(?<![.\\w$])${name}\\b(?!\\s*:)`).test(code)
      : new RegExp(`\\.${name.replace('$', '\\$')}\\b`).test(code),
  ).map(
    ({ name, note }): NotSupported => ({ kind: 'method', name, at, instead: { words: note, params: {} } }),
  )
  const unknown = [...code.matchAll(/\bthis\.(\w+)\(/g)]
    .map(([, name = '']) => name)
    .filter((name) => !KNOWN.has(name) && !LANGUAGE.has(name))
    .map((name): NotSupported => ({ kind: 'method', name, at, instead: phrase('unknown method') }))
  return [...refused, ...unknown]
}
