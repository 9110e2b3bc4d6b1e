import { type ChangeTexts, changeText, labelsIn } from '../../../runtime/core/edit/change-text.ts'
import { diffPages, type PageChange } from '../../../runtime/core/edit/diff-pages.ts'
import { itemsOf } from '../../../runtime/core/edit/entries.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { t, wordOr } from '../context.ts'
import { useTitles } from './titles.ts'

/** The differences in `after`, as texts. */
export function Changes({ before, after }: { readonly before: Json; readonly after: Json }) {
  const title = useTitles()
  const items = itemsOf(after)
  // The label of a module's field is part of the module, not of the page.
  const called = (change: PageChange): PageChange => {
    const item = items.get(change.id)
    return item === undefined ? change : { ...change, title: title(item) }
  }
  const changes = diffPages(before, after).map(called)
  const labels = new Map([
    ...labelsIn(after),
    ...[...items.values()].map((item) => [item.name, title(item)] as const),
  ])
  const texts: ChangeTexts = {
    say: (code, places) => t(`workbench.change.${code}`, places),
    option: (name) =>
      ['option', 'page', 'key']
        .map((one) => wordOr(`workbench.${one}.${name}`, ''))
        .find((one) => one !== '') ?? '',
    called: (name) => labels.get(name) ?? name,
  }
  if (changes.length === 0) return <p className="wb-quiet">{t('workbench.changes.none')}</p>
  return (
    <ul className="wb-changes">
      {changes.map((change) => (
        <li key={`${change.kind} ${change.id} ${change.what}`} className={`wb-change-${change.kind}`}>
          {changeText(change, texts)}
        </li>
      ))}
    </ul>
  )
}

const MAX_LENGTH = 40

/** A value that fits into a sentence; null for others. */
export function short(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return t('workbench.rule.nothing')
  if (typeof value === 'boolean') return t(value ? 'workbench.rule.yes' : 'workbench.rule.no')
  if (typeof value === 'object') return null
  const text = String(value)
  return text.length > MAX_LENGTH ? null : text
}
