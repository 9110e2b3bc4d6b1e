import { foldText } from './fold-text.ts'
import { CITIES, PROVINCES } from './place-names.ts'

/** Longest first: 有限责任公司 also ends in 公司. */
const LEGAL_FORMS = ['有限责任公司', '股份有限公司', '有限公司', '公司', '集团']
const LEADING_PLACES = new Set([...PROVINCES, ...CITIES])
const MAX_PLACE_LENGTH = Math.max(...Array.from(LEADING_PLACES, (place) => place.length))

function withoutPlace(name: string): string {
  for (let length = 3; length <= MAX_PLACE_LENGTH; length++) {
    if (LEADING_PLACES.has(name.slice(0, length))) return name.slice(length)
  }
  return name
}

function withoutLegalForm(name: string): string {
  const form = LEGAL_FORMS.find((form) => name.endsWith(form))
  return form === undefined ? name : name.slice(0, -form.length)
}

/**
 * The part of a company name that identifies the company: folded, without leading province or city and without trailing legal form.
 * Empty only if the folded name is; normalising twice gives the same text.
 *
 * @see DOMAIN 1.1.3
 */
export function normaliseName(name: string): string {
  let rest = foldText(name)
  for (;;) {
    const shorter = [withoutLegalForm(rest), withoutPlace(rest)].find((it) => it !== '' && it !== rest)
    if (shorter === undefined) return rest
    rest = shorter
  }
}
