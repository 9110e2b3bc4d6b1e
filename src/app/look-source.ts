import { ownValue } from '../../runtime/core/json.ts'
import type { HttpRequest, HttpResponse, Outcome, Text } from '../../runtime/core/ports.ts'
import { type AppLook, LOOK_URL, LOOKS } from './look.ts'

/** The looks as a data source of a page, and which of them is in force; `local:/look/change` with `id` chooses. */
export function answerLook(
  look: AppLook,
  text: Text,
  { url, body }: Pick<HttpRequest, 'url' | 'body'>,
): Outcome<HttpResponse> {
  if (url !== LOOK_URL) look.choose(String(ownValue(body, 'id') ?? ''))
  const list = LOOKS.map((id) => ({ id, name: text(`look.${id}`), current: id === look.choice() }))
  return { ok: true, value: { status: 200, headers: {}, data: { list } } }
}
