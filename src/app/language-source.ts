import { ownValue } from '../../runtime/core/json.ts'
import type { HttpRequest, HttpResponse, Outcome } from '../../runtime/core/ports.ts'
import type { Language } from './language.ts'
import { LOCALES } from './locale.ts'

const LOCAL = 'local:/language'

/** True for the addresses that {@link answerLanguage} knows: `local:/language` and `local:/language/change` with `id`. */
export function asksLanguage(url: string): boolean {
  return url === LOCAL || url === `${LOCAL}/change`
}

/** The languages of the app as a data source of a page: each in its own name, and which of them is in force. */
export async function answerLanguage(
  language: Pick<Language<unknown>, 'state' | 'text' | 'change'>,
  { url, body }: Pick<HttpRequest, 'url' | 'body'>,
): Promise<Outcome<HttpResponse>> {
  if (url !== LOCAL) await language.change(String(ownValue(body, 'id') ?? ''))
  const { locale } = language.state.get()
  const list = LOCALES.map((id) => ({ id, name: language.text(`language.${id}`), current: id === locale }))
  return { ok: true, value: { status: 200, headers: {}, data: { list } } }
}
