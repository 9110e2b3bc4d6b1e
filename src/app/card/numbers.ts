import { EXTENSION } from './words.ts'

type NumberPart = 'mobile' | 'telephone'

const CHINA = '(?:(?:\\+|00)?86[-\\s.]{0,2})?'
/** A mainland mobile number, also with separators. A longer run of digits is something else. */
const MOBILES: readonly RegExp[] = [
  new RegExp(`(?<!\\d)${CHINA}\\(?(1[3-9]\\d)\\)?[-\\s.]?(\\d{4})[-\\s.]?(\\d{4})(?!\\d)`),
  new RegExp(`(?<!\\d)${CHINA}(1[3-9]\\d)[-\\s.]?(\\d{3})[-\\s.]?(\\d{5})(?!\\d)`),
]
const SERVICE = /(?<!\d)([48]00)((?:[-\s.]?\d){7})(?!\d)/
const LANDLINE = new RegExp(
  `(?<!\\d)${CHINA}\\(?(0\\d{2,3})\\)?[-\\s.]{0,3}(\\d{3,4})[-\\s.]?(\\d{4})(?!\\d)${EXTENSION}`,
  'i',
)
/** A landline with country code: the leading zero of the area code is absent or in brackets. */
const FROM_ABROAD = new RegExp(
  `(?<!\\d)(?:\\+|00)86[-\\s.]{0,2}(?:\\(0\\))?\\(?(\\d{2,3})\\)?[-\\s.]{1,3}(\\d{3,4})[-\\s.]?(\\d{4})(?!\\d)${EXTENSION}`,
  'i',
)
/** A number of another country, which stays in the text as written. */
const ABROAD = /\+(?!86)\d{1,3}[\s.()-]{0,3}\d[\d\s.()-]{5,18}\d/

/** Removes the numbers from a line. @returns the rest */
export function takeNumbers(line: string, keep: (part: NumberPart, number: string) => void): string {
  const foreignNumber = ABROAD.exec(line)?.[0]
  if (foreignNumber !== undefined) return line
  let remaining = line
  const extract = (part: NumberPart, shape: RegExp, format: (groups: readonly string[]) => string): void => {
    for (let match = shape.exec(remaining); match !== null; match = shape.exec(remaining)) {
      keep(part, format(match.slice(1).map((group) => group ?? '')))
      remaining = `${remaining.slice(0, match.index)} ${remaining.slice(match.index + match[0].length)}`
    }
  }
  for (const shape of MOBILES) extract('mobile', shape, (groups) => groups.join(''))
  const landline = ([town = '', head = '', tail = '', extension = '']: readonly string[]): string =>
    `${town.startsWith('0') ? town : `0${town}`}-${head}${tail}${extension === '' ? '' : `-${extension}`}`
  extract('telephone', FROM_ABROAD, landline)
  extract('telephone', LANDLINE, landline)
  extract('telephone', SERVICE, ([head = '', pieces = '']) => {
    const digits = pieces.replace(/\D/g, '')
    return `${head}-${digits.slice(0, 3)}-${digits.slice(3)}`
  })
  return remaining
}
