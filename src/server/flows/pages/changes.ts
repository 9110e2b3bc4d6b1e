import { diffPages, type PageChange } from '../../../../runtime/core/edit/diff-pages.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import { isCodeKey } from '../../../../runtime/core/page/has-code.ts'
import panel from '../../../../schemas/text/zh-hans.workbench.json'
import { isTextCode, text } from '../../kernel/text/text.ts'

/** A difference between two versions, as it is kept with the later one. */
export interface ToldChange extends Pick<PageChange, 'kind' | 'id' | 'title' | 'at' | 'what'> {
  /** The change as a person says it. */
  readonly text: string
  /** Plain values only: the versions have the others. */
  readonly from?: string | number | boolean | null
  readonly to?: string | number | boolean | null
}

/** A version that changes more says so, and the rest is in the documents. */
const MOST = 200
const LONGEST = 60

/** What is different in `after`, in words. A page that was not there is one change. */
export function changesBetween(before: Json, after: Json): readonly ToldChange[] {
  if (before === null)
    return [{ kind: 'added', id: '', title: '', at: '', what: 'document', text: text('page.change.new') }]
  return diffPages(before, after).slice(0, MOST).map(told)
}

/** The words of changes. */
export const wordsOf = (changes: readonly ToldChange[]): string[] => changes.map((one) => one.text)

function told(change: PageChange): ToldChange {
  const { kind, id, title, at, what, from, to } = change
  const plain = { ...(isPlain(from) ? { from } : {}), ...(isPlain(to) ? { to } : {}) }
  return { kind, id, title, at, what, text: sentence(change), ...plain }
}

function sentence({ kind, id, title, what, from, to }: PageChange): string {
  const name = title === '' ? text('page.change.page') : title
  const isSource = id.startsWith('source:') || what === 'source'
  if (kind === 'moved' && title === '') return text('page.change.source-order')
  if (kind !== 'changed') return text(`page.change.${isSource ? 'source-' : ''}${kind}`, { name })
  const of = isSource ? text('page.change.source', { name }) : name
  if (isCodeKey(what.split('.').at(-1) ?? ''))
    return text('page.change.code', { name: of, what: codeWord(what) })
  const [was, is] = [valueText(what, from), valueText(what, to)]
  return was === null || is === null
    ? text('page.change.changed', { name: of, what: wordFor(what) })
    : text('page.change.value', { name: of, what: wordFor(what), was, is })
}

const PANEL: Readonly<Record<string, string>> = panel

/** What people call an option: in a sentence, else on the panel of the workbench; its own name where nobody does. */
export function wordFor(what: string): string {
  const name = what.split('.').at(-1) ?? ''
  return isTextCode(`page.option.${name}`)
    ? text(`page.option.${name as 'label'}`)
    : (PANEL[`workbench.option.${name}`] ?? what.replace(/^options\./, ''))
}

/** A piece of code by its word, and by the name that manuals have it under. */
function codeWord(what: string): string {
  const name = what.replace(/^options\./, '')
  const word = wordFor(what)
  return word === name ? name : text('page.change.hook', { word, name })
}

/** A value in a sentence; null for one that would not fit into it. */
function valueText(what: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return text('page.change.nothing')
  if (what.endsWith('.required') && typeof value === 'boolean')
    return text(value ? 'page.change.required' : 'page.change.optional')
  if (typeof value === 'boolean') return text(value ? 'log.yes' : 'log.no')
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value.length > LONGEST) return null
  return text('page.change.quoted', { value })
}

function isPlain(value: unknown): value is string | number | boolean | null {
  if (typeof value === 'string') return value.length <= LONGEST
  return value === null || typeof value === 'number' || typeof value === 'boolean'
}
