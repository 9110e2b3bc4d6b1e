import { isObject } from '../json.ts'
import { fullPath } from '../page/scope.ts'
import { OPERATIONS } from './operations.ts'

/**
 * The paths that a rule reads, without evaluating it: full paths such as `form.a`, `row.b`, `params.id`, each once, in order of appearance. Paths
 * inside the second argument of map, filter, reduce, all, some and none read the item and are not dependencies. For a rule that {@link checkRule}
 * rejects, the paths that can be determined.
 */
export function dependenciesOf(rule: unknown): string[] {
  const found = new Set<string>()
  collect(rule, found, 0)
  return [...found]
}

function collect(value: unknown, found: Set<string>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > 64) return
  if (Array.isArray(value)) {
    for (const item of value) collect(item, found, depth + 1)
    return
  }
  if (!isObject(value)) return
  const [name, ...others] = Object.keys(value)
  if (name === undefined || others.length > 0) return
  const args = asList(value[name])
  if (name === 'var') {
    add(args[0], found)
    collect(args[1], found, depth + 1)
  } else if (name === 'missing') {
    for (const path of args.flat()) add(path, found)
  } else if (name === 'missing_some') {
    collect(args[0], found, depth + 1)
    for (const path of asList(args[1])) add(path, found)
  } else {
    const perItem = OPERATIONS.get(name)?.perItem === true
    for (const [i, arg] of args.entries()) {
      if (!(perItem && i === 1)) collect(arg, found, depth + 1)
    }
  }
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function add(path: unknown, found: Set<string>): void {
  if (typeof path === 'string' && path !== '') found.add(fullPath(path))
}
