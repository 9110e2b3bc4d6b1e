import { type Problem, problem } from '../errors.ts'
import { isObject, type Json, ownValue } from '../json.ts'
import type { PageDocument } from './page.ts'
import { joinPointer } from './pointer.ts'

/** The language of a page that brings no texts of its own, and of the words around it. */
export const BASE_LANGUAGE = 'zh-Hans'
/** The language a page falls back to when it lacks the requested one. */
const COMMON_LANGUAGE = 'en'

/** `{{ text.key }}`, the only placeholder that is filled when a page is read. */
const PLACE = /\{\{\s*text\.([\w.-]+)\s*\}\}/g

export interface Localised {
  readonly document: PageDocument
  /** The language of the whole page: its own texts and the words of widgets, rules and filters on it. */
  readonly language: string
  readonly problems: readonly Problem[]
}

/**
 * A page in one language. `formConfig.page.texts` holds its texts by language and key, `{{ text.key }}` stands for one of them
 * wherever the document has a text. A page without such texts is in the base language.
 */
export function localise(document: PageDocument, wanted: string): Localised {
  const texts = ownValue(ownValue(document.formConfig, 'page'), 'texts')
  const languages = isObject(texts) ? Object.keys(texts).filter((name) => isObject(texts[name])) : []
  if (!isObject(texts) || languages.length === 0) return { document, language: BASE_LANGUAGE, problems: [] }
  const language =
    [wanted, COMMON_LANGUAGE].find((name) => languages.includes(name)) ?? languages[0] ?? BASE_LANGUAGE
  const problems: Problem[] = []
  const fill = (text: string, at: string): string =>
    text.replace(PLACE, (place, key: string) => {
      const missing = languages.filter((name) => typeof ownValue(texts[name], key) !== 'string')
      if (missing.length > 0)
        problems.push(problem('TEXT_MISSING', at, { key, languages: missing.join(', ') }))
      const translation = ownValue(texts[language], key)
      return typeof translation === 'string' ? translation : place
    })
  return { document: filled(document, '', fill) as PageDocument, language, problems }
}

/** The same value if nothing was filled, so that unchanged parts are shared. */
function filled(value: Json, at: string, fill: (text: string, at: string) => string): Json {
  if (typeof value === 'string') return value.includes('{{') ? fill(value, at) : value
  if (Array.isArray(value)) {
    const list = value.map((item: Json, i) => filled(item, joinPointer(at, i), fill))
    return list.some((item, i) => item !== value[i]) ? list : value
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [
    key,
    filled(item ?? null, joinPointer(at, key), fill),
  ])
  const changed = entries.some(([key, item]) => item !== value[key])
  return changed ? Object.fromEntries(entries) : value
}
