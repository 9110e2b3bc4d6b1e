import { isObject, type Json } from '../json.ts'
import { type Powers, text } from './power.ts'

/** Default locale of formats. */
export const DEFAULT_LOCALE = 'zh-CN'

const locale = (given: Json | undefined): string => text(given) || DEFAULT_LOCALE
const options = (given: Json | undefined): object => (isObject(given) ? given : {})
const DATE = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false } as const

/** Maximum cached formatters of each kind; scripts choose locale and options, so the cache is bounded. */
const MAX_FORMATTERS = 20

/** Caches formatters by locale and options: creating one costs many times what using it costs. */
function cached<Format>(create: (locale: string, options: object) => Format) {
  const cache = new Map<string, Format>()
  return (language: string, given: object = {}): Format => {
    const key = JSON.stringify([language, given])
    const known = cache.get(key)
    if (known !== undefined) return known
    if (cache.size >= MAX_FORMATTERS) cache.clear()
    const format = create(language, given)
    cache.set(key, format)
    return format
  }
}
const numberFormat = cached((language, given) => new Intl.NumberFormat(language, given))
const dateFormat = cached((language, given) => new Intl.DateTimeFormat(language, given))
const collator = cached((language) => new Intl.Collator(language))

/**
 * Locale-dependent formatting, which the guest's engine lacks (no Intl): implements methods of Number, Date and String. Invalid locales and options
 * throw, as in a browser.
 */
export const FORMAT_POWERS: Powers = {
  'format.number': (_, [value, language, given]) =>
    numberFormat(locale(language), options(given)).format(typeof value === 'number' ? value : Number.NaN),
  'format.date': (_, [at, parts, language, given]) => {
    if (typeof at !== 'number') return 'Invalid Date'
    const chosen = options(given)
    const usual = parts === 'date' ? DATE : parts === 'time' ? TIME : { ...DATE, ...TIME }
    const wanted = Object.keys(chosen).length > 0 ? chosen : usual
    return dateFormat(locale(language), wanted).format(at)
  },
  'format.compare': (_, [a, b, language]) => collator(locale(language)).compare(text(a), text(b)),
}
