import { type NotSupported, notSupportedIn } from '../../../../runtime/core/check/not-supported.ts'
import { openText, perform } from '../../../../runtime/core/edit/history.ts'
import { formatPhrase } from '../../../../runtime/core/errors.ts'
import { isObject, type Json } from '../../../../runtime/core/json.ts'
import { titlePath, writtenTitle } from '../../../../runtime/core/page/page-title.ts'
import { createRegistry } from '../../../../runtime/core/widgets/index.ts'
import type { PageProblem } from '../../../contract/pages.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { placeOf } from '../../kernel/pages/json-place.ts'
import { pageTitle } from '../../kernel/pages/page-title.ts'
import { chinese } from '../../kernel/text/author.ts'
import { text } from '../../kernel/text/text.ts'
import { checkPosted, type From } from '../pages/check-posted.ts'

/** An unsupported feature of a document, as listed on the screen. */
interface ListedFeature {
  readonly id: number
  readonly what: NotSupported['kind'] | 'option'
  readonly name: string
  readonly words: string
  readonly place: string
}

const registry = createRegistry()

/** The result of importing a foreign document: first unsupported features, then errors that prevent it from being a page. */
export async function pageToImport(
  written: string,
  path: string,
  from: From,
  services: Services,
): Promise<Json> {
  const { document, problems, advice } = await checkPosted(
    { path, document: written },
    { ...from, isImported: true },
    services,
  )
  const missing = isObject(document) ? notSupportedIn(document, registry) : []
  const list: Omit<ListedFeature, 'id'>[] = [
    ...missing.map((one) => ({
      what: one.kind,
      name: one.name,
      words: text(`page.import.${one.kind}`, { name: one.name, instead: formatPhrase(one.instead, chinese) }),
      place: placeWords(placeOf(written, one.at)),
    })),
    // An unknown widget is already among the first.
    ...advice
      .filter(({ code }) => code !== 'WIDGET_UNKNOWN')
      .map((one) => ({ what: 'option' as const, name: '', words: one.message, place: placeWords(one) })),
  ]
  return {
    list: list.map((item, id) => ({ id, ...item, word: text(`page.import.kind.${item.what}`) })),
    problems: problems as unknown as Json,
    widgets: isObject(document) ? countWidgets(document) : 0,
    title: pageTitle(document),
    fits: problems.length === 0,
  }
}

/** The same for a document that cannot be stored at the requested address. */
export const notAPage = (message: string): Json => ({
  list: [],
  problems: [{ code: 'PATH', at: '', message, hint: '', file: '' }],
  widgets: 0,
  title: '',
  fits: false,
})

/** The text with another title, otherwise byte for byte. */
export function withTitle(written: string, title: string): string {
  const opened = title === '' ? null : openText(written)
  if (opened === null || writtenTitle(opened.document) === title) return written
  return perform(opened, { do: 'set', path: titlePath(opened.document), value: title }).text
}

const placeWords = ({ line, column }: Partial<Pick<PageProblem, 'line' | 'column'>>): string =>
  line === undefined || column === undefined ? '' : text('page.place', { line, column })

/** All objects with a type in lists of widgets. */
function countWidgets(value: Json | undefined): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, child) => sum + countWidgets(child), 0)
  if (!isObject(value)) return 0
  const own = typeof value.type === 'string' && isObject(value.options) ? 1 : 0
  return Object.values(value).reduce<number>((sum, child) => sum + countWidgets(child), own)
}
