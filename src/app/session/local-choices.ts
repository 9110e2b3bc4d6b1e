import { ownValue } from '../../../runtime/core/json.ts'
import type { HttpRequest, HttpResponse, Outcome, Text } from '../../../runtime/core/ports.ts'

/** A setting of the app that users choose on its pages: language, look. */
export interface LocalChoice {
  readonly ids: readonly string[]
  readonly current: () => string
  /** An unknown id changes nothing. */
  readonly choose: (id: string) => unknown
}

/**
 * Settings as data sources of pages: `local:/NAME` lists the choices with their texts (`choice.NAME.id` of the catalogue) and the current one,
 * `local:/NAME/change` with `id` chooses.
 *
 * @returns null for any other address
 */
export function answerChoice(
  choices: Readonly<Record<string, LocalChoice>>,
  text: Text,
  { url, body }: Pick<HttpRequest, 'url' | 'body'>,
): Promise<Outcome<HttpResponse>> | null {
  const [, name = '', change] = /^local:\/(\w+)(\/change)?$/.exec(url) ?? []
  const choice = Object.hasOwn(choices, name) ? choices[name] : undefined
  if (choice === undefined) return null
  return answer(name, choice, text, change === undefined ? null : String(ownValue(body, 'id') ?? ''))
}

async function answer(
  name: string,
  { ids, current, choose }: LocalChoice,
  text: Text,
  chosenId: string | null,
): Promise<Outcome<HttpResponse>> {
  if (chosenId !== null) await choose(chosenId)
  const list = ids.map((id) => ({ id, name: text(`choice.${name}.${id}`), current: id === current() }))
  return { ok: true, value: { status: 200, headers: {}, data: { list } } }
}
