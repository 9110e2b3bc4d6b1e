import { isObject, type Json } from '../json.ts'
import { type Powers, text } from './power.ts'

/** Default locale of formats. */
export const DEFAULT_LOCALE = 'zh-CN'

const locale = (given: Json | undefined): string => text(given) || DEFAULT_LOCALE
const options = (given: Json | undefined): Record<string, never> =>
  isObject(given) ? (given as Record<string, never>) : {}
const DATE = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false } as const

/**
 * Locale-dependent formatting, which the guest's engine lacks (no Intl): implements methods of Number, Date and String. Invalid locales and options
 * throw, as in a browser.
 */
export const FORMAT_POWERS: Powers = {
  'format.number': (_, [value, language, given]) =>
    new Intl.NumberFormat(locale(language), options(given)).format(
      typeof value === 'number' ? value : Number.NaN,
    ),
  'format.date': (_, [at, parts, language, given]) => {
    if (typeof at !== 'number') return 'Invalid Date'
    const chosen = options(given)
    const usual = parts === 'date' ? DATE : parts === 'time' ? TIME : { ...DATE, ...TIME }
    const wanted = Object.keys(chosen).length > 0 ? chosen : usual
    return new Intl.DateTimeFormat(locale(language), wanted).format(at)
  },
  'format.compare': (_, [a, b, language]) => new Intl.Collator(locale(language)).compare(text(a), text(b)),
}
