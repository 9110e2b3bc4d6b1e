import { fillPlaces } from '../../../../runtime/core/errors.ts'
import shared from '../../../../schemas/text/zh-hans.json'
import own from '../../../../schemas/text/zh-hans.server.json'

/** All texts: those of the runtime and the client, and those only the server uses. */
const catalogue = { ...shared, ...own }

/** Codes of the text catalogue. */
export type TextCode = keyof typeof catalogue

/** The Chinese text of `code`, with its `{name}` placeholders replaced. */
export function text(code: TextCode, params: Readonly<Record<string, string | number>> = {}): string {
  return fillPlaces(catalogue[code], params)
}

/** True if the catalogue has a text for `code`. */
export function isTextCode(code: string): code is TextCode {
  return Object.hasOwn(catalogue, code)
}
