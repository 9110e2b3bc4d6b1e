import { type Problem, phrase, problem } from '../../../../runtime/core/errors.ts'
import { isObject, type Json, ownValue } from '../../../../runtime/core/json.ts'
import { isCodeKey } from '../../../../runtime/core/page/has-code.ts'
import { nameHint, nearestName } from '../../../../runtime/core/page/nearest-type.ts'
import { joinPointer } from '../../../../runtime/core/page/pointer.ts'

/** A widget that code names literally. */
const NAMED = /\b(?:getWidgetRef|[gs]etFieldValue|setSubFormValues)\(\s*(['"])([\w.-]+)\1/g

/** Advice on names in code that no widget has, where one of them was probably meant. */
export function checkCodeNames(document: Json): Problem[] {
  const names = new Set<string>()
  const slots: { readonly at: string; readonly code: string }[] = []
  const visit = (value: Json, at: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 400) return
    const name = isObject(value) ? ownValue(value.options, 'name') : undefined
    if (typeof name === 'string') names.add(name)
    for (const [key, child = null] of Object.entries(value)) {
      const below = joinPointer(at, key)
      if (typeof child !== 'string') visit(child, below, depth + 1)
      else if (isCodeKey(key)) slots.push({ at: below, code: child })
    }
  }
  visit(document, '', 0)
  const known = [...names]
  return slots.flatMap(({ at, code }) => {
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
