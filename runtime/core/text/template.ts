import { type Problem, phrase, problem } from '../errors.ts'
import { isSafeName, type Json, valueAt } from '../json.ts'
import { fullPath, type Scope } from '../page/scope.ts'
import { asText, FILTERS, type TextServices } from './filters.ts'
import { type Place, parseTemplate } from './parse-template.ts'

export type { TextServices } from './filters.ts'

/** Replaces the placeholders of a text. A missing value is an empty text; a text without placeholders is returned unchanged. */
export function fillText(text: string, scope: Scope, services: TextServices): string {
  if (!text.includes('{{')) return text
  return parseTemplate(text)
    .parts.map((part) => (typeof part === 'string' ? part : asText(placeValue(part, scope, services))))
    .join('')
}

/**
 * Like {@link fillText}, but a text that is one single placeholder keeps the JSON type of its value.
 *
 * @returns undefined if that single placeholder has no value
 */
export function templateValue(text: string, scope: Scope, services: TextServices): Json | undefined {
  if (!text.includes('{{')) return text
  const { parts } = parseTemplate(text)
  const [only] = parts
  if (parts.length !== 1 || only === undefined || typeof only === 'string')
    return fillText(text, scope, services)
  return placeValue(only, scope, services)
}

/** The full paths a text reads (`form.name`), each once. */
export function pathsOf(text: string): string[] {
  if (!text.includes('{{')) return []
  const paths = parseTemplate(text).parts.flatMap((part) =>
    typeof part === 'string' ? [] : namedBy(part).flatMap((path) => (path === '' ? [] : [fullPath(path)])),
  )
  return [...new Set(paths)]
}

/** True if a filter of the text reads the dictionaries. */
export const readsDictionary = (text: string): boolean =>
  parseTemplate(text).parts.some(
    (part) => typeof part !== 'string' && part.filters.some(({ name }) => name === 'dict'),
  )

/** Errors in a text: TEMPLATE_INVALID, FILTER_UNKNOWN or NAME_FORBIDDEN at `at`. */
export function checkTemplate(text: string, at: string): Problem[] {
  if (!text.includes('{{')) return []
  const { parts, unclosed } = parseTemplate(text)
  const problems = parts.flatMap((part) => (typeof part === 'string' ? [] : checkPlace(part, at)))
  if (unclosed)
    problems.push(problem('TEMPLATE_INVALID', at, { reason: phrase('a place is opened and never closed') }))
  return problems
}

const PATH = /^[^\s{}.]+(?:\.[^\s{}.]+)*$/

/** The paths of a placeholder: its own, and those of `or`. */
const namedBy = ({ path, filters }: Place): readonly string[] => [
  path,
  ...filters.filter(({ name }) => name === 'or').map(({ arg }) => arg),
]

function checkPlace(place: Place, at: string): Problem[] {
  const { filters } = place
  const problems: Problem[] = []
  const paths = namedBy(place)
  for (const path of paths) {
    if (PATH.test(path)) continue
    const reason = path === '' ? phrase('a place is empty') : phrase('"{path}" is not a path', { path: path })
    problems.push(problem('TEMPLATE_INVALID', at, { reason }))
  }
  const forbidden = paths.flatMap((path) => path.split('.')).find((step) => !isSafeName(step))
  if (forbidden !== undefined) problems.push(problem('NAME_FORBIDDEN', at, { name: forbidden }))
  for (const { name } of filters) {
    if (Object.hasOwn(FILTERS, name)) continue
    problems.push(problem('FILTER_UNKNOWN', at, { name, known: Object.keys(FILTERS).join(', ') }))
  }
  return problems
}

function placeValue({ path, filters }: Place, scope: Scope, services: TextServices): Json | undefined {
  const read = (named: string) => valueAt(scope, fullPath(named))
  let value = read(path)
  for (const { name, arg } of filters) {
    const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined
    if (filter !== undefined) value = filter(value ?? null, arg, services, (other) => read(other) ?? null)
  }
  return value
}
