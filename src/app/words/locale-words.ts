import type { Catalogue } from '../../../runtime/browser/catalogue-text.ts'
import { DEFAULT_LOCALE, type Locale } from './locale.ts'

const CATALOGUES: Partial<Record<Locale, () => Promise<{ readonly default: Catalogue }>>> = {
  en: () => import('../../../schemas/text/en.json'),
  es: () => import('../../../schemas/text/es.json'),
  fr: () => import('../../../schemas/text/fr.json'),
  'zh-Hant': () => import('../../../schemas/text/zh-hant.json'),
}

/** Loads a language other than the base one, and the default language for texts it lacks (SHELL 2.4; 12, 10). */
export async function loadWords(locale: Locale): Promise<readonly Catalogue[]> {
  const chain = [...new Set([locale, DEFAULT_LOCALE])]
  const catalogues = await Promise.all(chain.map((one) => CATALOGUES[one]?.()))
  return catalogues.flatMap((catalogue) => (catalogue ? [catalogue.default] : []))
}
