import type { Engine } from '../../../runtime/core/engine.ts'
import { isObject, type Json, type JsonObject, sameJson } from '../../../runtime/core/json.ts'
import type { PageState } from './case.ts'

/** The current state of a page. */
export function stateOf(engine: Engine): PageState {
  const widgets: Record<string, JsonObject> = {}
  for (const node of engine.page.nodes.values()) {
    if (node.template !== null || node.subForm !== null) continue
    const { hidden, disabled, readonly, required, error } = engine.node(node.key)
    const flags: JsonObject = {
      ...(hidden ? { hidden } : {}),
      ...(disabled ? { disabled } : {}),
      ...(readonly ? { readonly } : {}),
      ...(required ? { required } : {}),
      // Its text depends on the language.
      ...(error === null ? {} : { error: true }),
    }
    if (Object.keys(flags).length > 0) widgets[node.key] = flags
  }
  return { form: JSON.parse(JSON.stringify(engine.scope().form)) as Json, widgets }
}

/** One difference. */
export interface Difference {
  readonly what: string
  readonly was: Json
  readonly is: Json
}

/** Where two states of a page differ. */
export function differencesOf(was: PageState, is: PageState): readonly Difference[] {
  return [
    ...between('', was.form, is.form),
    ...union(was.widgets, is.widgets).flatMap((key) =>
      between(`${key} · `, was.widgets[key] ?? {}, is.widgets[key] ?? {}),
    ),
  ]
}

function between(before: string, was: Json, is: Json): readonly Difference[] {
  if (!isObject(was) || !isObject(is)) return []
  return union(was, is)
    .filter((name) => !sameJson(was[name] ?? null, is[name] ?? null))
    .map((name) => ({ what: `${before}${name}`, was: was[name] ?? null, is: is[name] ?? null }))
}

const union = (one: object, other: object): string[] => [
  ...new Set([...Object.keys(one), ...Object.keys(other)]),
]
