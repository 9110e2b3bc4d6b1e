import { codeSlots, MAX_DEPTH } from '../../../../runtime/core/check/not-supported.ts'
import { type Problem, phrase, problem } from '../../../../runtime/core/errors.ts'
import { isObject, type Json, ownValue } from '../../../../runtime/core/json.ts'
import { nameHint, nearestName } from '../../../../runtime/core/page/nearest-type.ts'

/** A widget that code names literally. */
const NAMED = /\b(?:getWidgetRef|[gs]etFieldValue|setSubFormValues)\(\s*(['"])([\w.-]+)\1/g

/** Advice on names in code that no widget has, where one of them was probably meant. */
export function checkCodeNames(document: Json): Problem[] {
  const names = new Set(namesIn(document))
  const known = [...names]
  return codeSlots(document).flatMap(({ at, code }) => {
    const missing = new Set(
      [...code.matchAll(NAMED)].flatMap(([, , name = '']) => (names.has(name) ? [] : [name])),
    )
    return [...missing]
      .filter((name) => nearestName(name, known) !== null)
      .map((name) =>
        problem(
          'WORD_UNKNOWN',
          at,
          { what: phrase('widgets of the page'), name },
          'warning',
          nameHint(name, known),
        ),
      )
  })
}

/** The names of all widgets. */
function namesIn(value: Json, depth = 0): readonly string[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  const name = isObject(value) ? ownValue(value.options, 'name') : undefined
  const below = Object.values(value).flatMap((child) => namesIn(child ?? null, depth + 1))
  return typeof name === 'string' ? [name, ...below] : below
}
