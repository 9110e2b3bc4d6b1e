import {
  type ChangeTexts,
  changeText,
  labelsIn,
  optionLabel,
} from '../../../../runtime/core/edit/change-text.ts'
import { diffPages, type PageChange } from '../../../../runtime/core/edit/diff-pages.ts'
import { type Item, itemsOf } from '../../../../runtime/core/edit/entries.ts'
import { fillPlaces } from '../../../../runtime/core/errors.ts'
import { type Json, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import panel from '../../../../schemas/text/zh-hans.workbench.json'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { labelIn } from './palette.ts'

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

/** The label of what an item refers to: a field of a module, a module, a shared part; undefined where there is none. */
export type ReferenceLabel = (item: JsonObject) => string | undefined

const NO_LABEL: ReferenceLabel = () => undefined

/** The labels by which people know what the pages of a tenant refer to. */
export function referenceLabels(
  modules: ReadonlyMap<string, MergedModule>,
  fragments: ReadonlyMap<string, Json>,
): ReferenceLabel {
  return ({ field, card, fields, facts, fragment }) => {
    if (typeof fragment === 'string') {
      const list = ownValue(fragments.get(fragment), 'widgetList')
      return Array.isArray(list) ? labelIn(list) : undefined
    }
    const reference = [field, card, fields, facts].find((one) => typeof one === 'string')
    const [module = '', name] = String(reference ?? '').split(/[./]/)
    const meant = modules.get(module)
    const found =
      name === undefined ? meant : meant?.fields.find((one) => one.name === name.replace(/^ext_/, ''))
    return found === undefined ? undefined : labelText(found.label)
  }
}

/** The differences in `after`, as texts. A new page is one change. */
export function changesBetween(
  before: Json,
  after: Json,
  labelOf: ReferenceLabel = NO_LABEL,
): readonly StoredChange[] {
  if (before === null)
    return [{ kind: 'added', id: '', title: '', at: '', what: 'document', text: say('new') }]
  const texts = textsFor(after, labelOf)
  const [then, now] = [itemsOf(before), itemsOf(after)]
  return diffPages(before, after)
    .slice(0, MAX_CHANGES)
    .map((change) => {
      const item = (change.kind === 'removed' ? then : now).get(change.id)
      return storedChange(
        item === undefined ? change : { ...change, title: titleOf(change, item, labelOf) },
        texts,
      )
    })
}

/** An item says by itself what it is called, or else what it refers to does. */
const titleOf = ({ title }: PageChange, { name, written }: Item, labelOf: ReferenceLabel): string =>
  title !== name ? title : withLabel(title, String(written.fragment ?? title), labelOf(written))

/** What distinguishes several occurrences of a shared part stays behind its label. */
const withLabel = (title: string, name: string, label: string | undefined): string =>
  label === undefined ? title : `${label}${title.startsWith(name) ? title.slice(name.length) : ''}`

const PANEL: Readonly<Record<string, string>> = panel

/** Changes are described in the language of the workbench, wherever they are shown. */
const say: ChangeTexts['say'] = (code, places = {}) =>
  fillPlaces(PANEL[`workbench.change.${code}`] ?? code, places)
const option = (name: string): string =>
  PANEL[`workbench.option.${name}`] ?? PANEL[`workbench.page.${name}`] ?? PANEL[`workbench.key.${name}`] ?? ''

function textsFor(document: Json, labelOf: ReferenceLabel): ChangeTexts {
  const referred = [...itemsOf(document).values()].flatMap(({ written }): (readonly [string, string])[] => {
    const label = typeof written.field === 'string' ? labelOf(written) : undefined
    return label === undefined ? [] : [[String(written.field).replace(/^.*?\./, ''), label]]
  })
  const labels = new Map([...referred, ...labelsIn(document)])
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
