import { diffPages } from '../../../runtime/core/edit/diff-pages.ts'
import { type Editing, openText, perform, select, undo } from '../../../runtime/core/edit/history.ts'
import { mergePages } from '../../../runtime/core/edit/merge-pages.ts'
import { optionChange } from '../../../runtime/core/edit/option-change.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import { createRegistry } from '../../../runtime/core/widgets/index.ts'
import { median } from './measure.ts'

const ROUNDS = 21

/** A page with a given number of widgets, in groups of twenty. */
function bigPage(size: number): string {
  const field = (group: number, i: number): JsonObject => ({
    type: i % 3 === 0 ? 'select' : 'input',
    formItemFlag: true,
    id: `f${group}_${i}`,
    options: {
      name: `f${group}_${i}`,
      label: `Field ${i} of ${group}`,
      required: i % 4 === 0,
      ...(i % 3 === 0 ? { optionItems: [{ label: 'A', value: 'a' }] } : {}),
      ...(i % 5 === 0 ? { visibleOn: { '!=': [{ var: `form.f${group}_1` }, 'x'] } } : {}),
    },
  })
  const widgetList = Array.from({ length: size / 20 }, (_, group) => ({
    type: 'cell-group',
    category: 'container',
    id: `g${group}`,
    options: { name: `g${group}`, label: `Group ${group}` },
    widgetList: Array.from({ length: 19 }, (_, i) => field(group, i)),
  }))
  const formConfig = { jsonVersion: -3, layoutType: 'H5', page: { title: 'Big' } }
  return JSON.stringify({ formConfig, widgetList }, null, 2)
}

/** What an edit of a large page costs before anything is drawn, beside reading its text once: medians, and the ratio. */
export function benchWorkbench(size: number): string {
  const text = bigPage(size)
  const registry = createRegistry()
  const opened = openText(text)
  if (opened === null) throw new Error('the page cannot be read')
  const id = '#f1_3'
  const label = (now: Editing, value: string): Editing =>
    perform(now, { do: 'set', id, path: ['options', 'label'], value }, 'label')
  const typed = label(opened, 'A')
  const other = JSON.parse(bigPage(size).replaceAll('Field 7 of', 'Item 7 of')) as Json
  let n = 0
  const tasks: readonly (readonly [string, () => unknown])[] = [
    ['read its text (JSON.parse)', () => JSON.parse(text)],
    ['open', () => openText(text)],
    ['select', () => select(typed, id)],
    ['type a letter into a label', () => label(typed, `A${n}`)],
    ['find what the open page can show of it', () => optionChange(opened.document, typed.document)],
    ['undo', () => undo(typed)],
    ['open it again as a page', () => parsePage({ ...(typed.document as JsonObject) }, { registry })],
    [
      'differences of two versions',
      () => diffPages({ ...(typed.document as JsonObject) }, { ...(other as JsonObject) }),
    ],
    ['merge of two drafts', () => mergePages(opened.document, typed.document, { ...(other as JsonObject) })],
  ]
  const taken = tasks.map(([name, task]) => {
    const times = Array.from({ length: ROUNDS }, () => {
      n += 1
      const start = performance.now()
      task()
      return performance.now() - start
    })
    return { name, ms: median(times) }
  })
  const base = taken[0]?.ms ?? 1
  return [
    `| ${size} widgets | ms | × reading the text |`,
    '| --- | --- | --- |',
    ...taken.map(({ name, ms }) => `| ${name} | ${ms.toFixed(2)} | ${(ms / base).toFixed(2)} |`),
  ].join('\n')
}
