import {
  type ChangeTexts,
  changeText,
  labelsIn,
  optionLabel,
} from '../../../../runtime/core/edit/change-text.ts'
import { diffPages, type PageChange } from '../../../../runtime/core/edit/diff-pages.ts'
import { fillPlaces } from '../../../../runtime/core/errors.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import panel from '../../../../schemas/text/zh-hans.workbench.json'

/** A difference between two versions, stored with the later one. */
export interface StoredChange extends Pick<PageChange, 'kind' | 'id' | 'title' | 'at' | 'what'> {
  /** The change as text. */
  readonly text: string
  /** Plain values only: others can be read from the versions. */
  readonly from?: string | number | boolean | null
  readonly to?: string | number | boolean | null
}

/** A version with more changes says so; the documents contain the rest. */
const MAX_CHANGES = 200
const MAX_LENGTH = 60

/** The differences in `after`, as texts. A new page is one change. */
export function changesBetween(before: Json, after: Json): readonly StoredChange[] {
  if (before === null)
    return [{ kind: 'added', id: '', title: '', at: '', what: 'document', text: say('new') }]
  const texts = textsFor(after)
  return diffPages(before, after)
    .slice(0, MAX_CHANGES)
    .map((change) => storedChange(change, texts))
}

const PANEL: Readonly<Record<string, string>> = panel

/** Changes are described in the language of the workbench, wherever they are shown. */
const say: ChangeTexts['say'] = (code, places = {}) =>
  fillPlaces(PANEL[`workbench.change.${code}`] ?? code, places)
const option = (name: string): string =>
  PANEL[`workbench.option.${name}`] ?? PANEL[`workbench.page.${name}`] ?? PANEL[`workbench.key.${name}`] ?? ''

function textsFor(document: Json): ChangeTexts {
  const labels = labelsIn(document)
  return { say, option, called: (name) => labels.get(name) ?? name }
}

/** What people call an option. */
export const wordFor = (path: string): string => optionLabel(path, { option })

/** The words of changes. */
export const wordsOf = (changes: readonly StoredChange[]): string[] => changes.map((change) => change.text)

function storedChange(change: PageChange, texts: ChangeTexts): StoredChange {
  const { kind, id, title, at, what, from, to } = change
  const plain = { ...(isPlain(from) ? { from } : {}), ...(isPlain(to) ? { to } : {}) }
  return { kind, id, title, at, what, text: changeText(change, texts), ...plain }
}

function isPlain(value: unknown): value is string | number | boolean | null {
  if (typeof value === 'string') return value.length <= MAX_LENGTH
  return value === null || typeof value === 'number' || typeof value === 'boolean'
}
