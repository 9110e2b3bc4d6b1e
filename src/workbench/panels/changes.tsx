import { diffPages, type PageChange } from '../../../runtime/core/edit/diff-pages.ts'
import { itemsOf } from '../../../runtime/core/edit/entries.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { t, wordOr } from '../context.ts'
import { useTitles } from './titles.ts'

/** What is different in `after`, as people say it. */
export function Changes({ before, after }: { readonly before: Json; readonly after: Json }) {
  const title = useTitles()
  const items = itemsOf(after)
  // What a field of a module is called stands in the module, not in the page.
  const called = (change: PageChange): PageChange => {
    const item = items.get(change.id)
    return item === undefined ? change : { ...change, title: title(item) }
  }
  const changes = diffPages(before, after).map(called)
  if (changes.length === 0) return <p className="wb-quiet">{t('workbench.changes.none')}</p>
  return (
    <ul className="wb-changes">
      {changes.map((change) => (
        <li key={`${change.kind} ${change.id} ${change.what}`} className={`wb-change-${change.kind}`}>
          {changeWords(change)}
        </li>
      ))}
    </ul>
  )
}

/** One change in a sentence. */
function changeWords({ kind, id, title, what, from, to }: PageChange): string {
  const name = title === '' ? t('workbench.tree.page') : title
  if (kind !== 'changed' && what === 'source') return t(`workbench.change.source-${kind}`, { name })
  if (kind !== 'changed') return t(`workbench.change.${kind}`, { name })
  const option = what.replace(/^options\.|^page\./, '')
  const said = wordOr(`workbench.option.${option}`, wordOr(`workbench.page.${option}`, option))
  const owner = id.startsWith('source:') ? t('workbench.change.source', { name }) : name
  const [was, is] = [short(from), short(to)]
  return was === null || is === null
    ? t('workbench.change.changed', { name: owner, what: said })
    : t('workbench.change.value', { name: owner, what: said, was, is })
}

const LONGEST = 40

/** A value that fits into a sentence; null for others. */
export function short(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return t('workbench.change.nothing')
  if (typeof value === 'boolean') return t(value ? 'workbench.rule.yes' : 'workbench.rule.no')
  if (typeof value === 'object') return null
  const text = String(value)
  return text.length > LONGEST ? null : text
}
