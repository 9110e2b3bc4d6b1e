import { fillPlaces } from '../../runtime/core/errors.ts'
import catalogue from '../../schemas/text/zh-hans.json'

/** Codes of the text catalogue. */
export type TextCode = keyof typeof catalogue

/** The Chinese text of `code`, its `{name}` places filled. */
export function text(code: TextCode, params: Readonly<Record<string, string | number>> = {}): string {
  return fillPlaces(catalogue[code], params)
}

/** True when the catalogue has a text under `code`. */
export function isTextCode(code: string): code is TextCode {
  return Object.hasOwn(catalogue, code)
}
