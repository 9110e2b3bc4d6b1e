import {
  isObject,
  isSafeName,
  type Json,
  type JsonObject,
  listOf,
  ownValue,
} from '../../../runtime/core/json.ts'
import type { DataSource, Page, PageNode } from '../../../runtime/core/page/page.ts'
import { ROOTS } from '../../../runtime/core/page/scope.ts'
import { t } from '../context.ts'
import { sampleValue } from './sample-value.ts'

/** Values of a dictionary; empty for an unknown one. */
export type Choices = (dict: string) => readonly Json[]

/** Enough rows to show that a list can be scrolled. */
const ROWS = [0, 1, 2] as const

/**
 * A generated answer of a source, based on what the page reads from it: rows for lists, a record for the rest. It shows content for tenants without
 * records. Null for an unknown source.
 */
export function sampleAnswer(page: Page, url: string, choices: Choices): Json | null {
  const source = [...page.dataSources.values()].find(({ requestURL }) => pathOf(requestURL) === pathOf(url))
  if (source === undefined) return null
  const nodes = [...page.nodes.values()]
  const answer: Growing = {}
  for (const node of nodes) {
    addRows(answer, node, source, choices)
    for (const path of pathsIn(node, source.uniqueName)) setAt(answer, path.steps, path.value(choices))
  }
  for (const [steps, value] of filled(nodes, source, choices)) setAt(answer, steps, value)
  return answer as JsonObject
}

const pathOf = (url: string): string => url.split('?')[0] ?? ''

interface Growing {
  [key: string]: Json
}

interface Path {
  readonly steps: readonly string[]
  readonly value: (choices: Choices) => Json
}

const READ = /\b(data|row)\.([\w-]+(?:\.[\w-]+)*)(?:\s*\|\s*dict:([\w-]+))?/g

/** All paths below a root that the page reads, in placeholders, rules and binds. */
function readsIn(value: Json, root: 'data' | 'row', index = 0): readonly Path[] {
  return [...(JSON.stringify(value) ?? '').matchAll(READ)].flatMap(([, of, path = '', dict]) => {
    const steps = path.split('.')
    if (of !== root || !steps.every(isSafeName)) return []
    const last = steps.at(-1) ?? ''
    const sampleFrom = (choices: Choices): Json =>
      (dict === undefined ? undefined : choices(dict)[0]) ?? sampleValue(last, index)
    return [{ steps, value: sampleFrom }]
  })
}

/** The paths that a widget itself reads from a source. */
function pathsIn({ options }: PageNode, source: string): readonly Path[] {
  const bound = typeof options.bind === 'string' ? options.bind : ''
  const inner = bound === '' ? [] : itemsBelow(options.items).map((item) => `${bound}.${item}`)
  return readsIn([options, inner] as Json, 'data')
    .filter(({ steps }) => steps[0] === source && steps.length > 1)
    .map(({ steps, value }) => ({ steps: steps.slice(1), value }))
}

/** Paths of items relative to the bind of their widget. */
const itemsBelow = (items: Json | undefined): readonly string[] =>
  listOf(items).flatMap((one: Json) => {
    const bind = ownValue(one, 'bind')
    return typeof bind === 'string' && bind !== '' && !ROOTS.has(bind.split('.')[0] ?? '') ? [bind] : []
  })

const LISTS = ['rowsBind', 'itemsBind', 'pointsBind'] as const
const DRAWS_ROWS = new Set(['list', 'timeline', 'data-table', 'board', 'agenda'])

/** The rows that a widget draws, from the source itself or from a list in its answer. */
function addRows(answer: Growing, node: PageNode, source: DataSource, choices: Choices): void {
  const { type, options } = node
  const places: string[][] = []
  if (options.dsName === source.uniqueName) places.push(stepsOf(ownValue(source.paging, 'items') ?? 'list'))
  const binds = [...LISTS.map((name) => options[name]), DRAWS_ROWS.has(type) ? options.bind : null]
  for (const bind of binds) {
    const [root, name, ...steps] = stepsOf(bind ?? null)
    if (root === 'data' && name === source.uniqueName && steps.length > 0) places.push(steps)
  }
  for (const steps of places)
    setAt(
      answer,
      steps,
      ROWS.map((index) => rowOf(node, index, choices)),
    )
}

const stepsOf = (path: Json): string[] => (typeof path === 'string' && path !== '' ? path.split('.') : [])

/** Options that name keys of a row. */
const KEYS = ['time', 'who', 'rowKey', 'labelKey', 'valueKey', 'categoryKey'] as const

function rowOf(node: PageNode, index: number, choices: Choices): JsonObject {
  const { widget, options } = node
  const row: Growing = { id: String(index + 1), name: t('workbench.sample.name', { n: index + 1 }) }
  const keys = [
    ...KEYS.map((name) => node.option(name)),
    ...namesIn(options.tableColumns, 'prop'),
    ...namesIn(options.series, 'key'),
  ]
  for (const key of keys)
    if (typeof key === 'string' && isSafeName(key) && row[key] === undefined)
      row[key] = sampleValue(key, index)
  for (const { steps, value } of readsIn([widget, options] as Json, 'row', index))
    setAt(row, steps, value(choices))
  return row as JsonObject
}

const namesIn = (list: Json | undefined, key: string): readonly (Json | undefined)[] =>
  listOf(list).map((one: Json) => ownValue(one, key))

/** The values for the fields of a form. */
function filled(
  nodes: readonly PageNode[],
  { fill }: DataSource,
  choices: Choices,
): readonly (readonly [string[], Json])[] {
  if (fill === undefined) return []
  const fields = nodes.filter(({ field, subForm, name }) => field && subForm === null && isSafeName(name))
  return fields.flatMap((node): (readonly [string[], Json])[] => {
    const value = fieldValue(node, choices)
    return value === null ? [] : [[[...stepsOf(fill), node.name], value]]
  })
}

const TEXTS = new Set(['input', 'textarea', 'number', 'stepper', 'date', 'datetime'])

function fieldValue({ type, name, options, spec }: PageNode, choices: Choices): Json | null {
  if (spec.hasItems === true) {
    const [item] = listOf(options.optionItems)
    const value = typeof options.dict === 'string' ? choices(options.dict)[0] : ownValue(item, 'value')
    return value === undefined || type === 'checkbox' || options.multiple === true ? null : value
  }
  if (!TEXTS.has(type)) return null
  if (type === 'number' || type === 'stepper') return 3
  return sampleValue(type === 'date' || type === 'datetime' ? `${name}_at` : name, 0)
}

/** Sets a value at its path; a more detailed existing value stays. */
function setAt(into: Growing, steps: readonly string[], value: Json): void {
  const [step, ...more] = steps
  if (step === undefined || step === '__proto__') return
  const existing = into[step]
  if (more.length > 0) {
    if (Array.isArray(existing)) return
    const below: Growing = isObject(existing) ? ({ ...existing } as Growing) : {}
    setAt(below, more, value)
    into[step] = below as JsonObject
  } else if (existing === undefined || (typeof existing !== 'object' && typeof value === 'object'))
    into[step] = value
}
