import type { Problem } from '../errors.ts'
import { isObject } from '../json.ts'
import { joinPointer } from '../page/pointer.ts'
import { checkTemplate, pathsOf } from '../text/template.ts'
import { type At, checkPath, type Names } from './names.ts'

const MAX_DEPTH = 32

/** Every text in a value, including nested ones: its placeholders, its filters, the fields it names. */
export function checkTexts(value: unknown, at: At, names: Names, depth = 0): Problem[] {
  if (typeof value === 'string') return value.includes('{{') ? checkText(value, at(''), names) : []
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  const below = (key: string | number): At => {
    const step = joinPointer('', key)
    return (rest) => at(step + rest)
  }
  if (Array.isArray(value)) return value.flatMap((item, i) => checkTexts(item, below(i), names, depth + 1))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => checkTexts(item, below(key), names, depth + 1))
}

function checkText(text: string, at: string, names: Names): Problem[] {
  const problems = checkTemplate(text, at).map((found) => ({ ...found, severity: names.mild }))
  if (problems.length > 0) return problems
  return pathsOf(text).flatMap((path) => checkPath(path, at, names))
}
