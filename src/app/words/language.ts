import type { Catalogue } from '../../../runtime/browser/catalogue-text.ts'
import { fillPlaces } from '../../../runtime/core/errors.ts'
import type { Text } from '../../../runtime/core/ports.ts'
import type { TypedStorage } from '../storage/typed-storage.ts'
import { createStore, type Store } from '../store.ts'
import { chooseLocale, type Locale, normaliseLocale } from './locale.ts'

/** Key under which the user's choice is stored (SHELL 2.4). */
const STORED = 'UNI_LOCALE'

export interface LanguageOptions {
  readonly storage: TypedStorage
  /** Language of the product's settings. */
  readonly configured: string
  /** Languages of the browser, by preference. */
  readonly browser: readonly string[]
  /** The language that is always loaded and complete. */
  readonly base: { readonly locale: Locale; readonly catalogue: Catalogue }
  /** Loads the catalogues of another language, to be searched in this order. */
  readonly load: (locale: Locale) => Promise<readonly Catalogue[]>
  /** Called at the start and at each change (for the document's language). */
  readonly onChange?: (locale: Locale) => void
}

export interface Language {
  /** The current language. */
  readonly locale: Store<Locale>
  readonly text: Text
  /** The texts of a page in another language than the current one, after they were loaded by {@link need}. */
  textIn(locale: string): Text
  /** Resolves when the texts of a page's language are loaded; null if they are already. */
  need(locale: string): Promise<void> | null
  /** Resolves when the texts of this visit's language are loaded; immediately for the base language. */
  ready(): Promise<void>
  /** Stores the choice and switches to it. An unknown language changes nothing. @returns whether it was accepted */
  change(name: string): Promise<boolean>
}

/**
 * Texts in the current language, else in English, else in the base language, else the code itself (SHELL 2.4). If a language cannot be loaded, the
 * current one stays.
 */
export function createLanguage(options: LanguageOptions): Language {
  const { storage, base } = options
  const inForce = createStore<Locale>(base.locale)
  const baseWords: readonly Catalogue[] = [base.catalogue]
  const catalogues = new Map<string, readonly Catalogue[]>([[base.locale, baseWords]])

  async function fetchWords(locale: Locale): Promise<void> {
    if (!catalogues.has(locale)) catalogues.set(locale, [...(await options.load(locale)), base.catalogue])
  }
  const textIn =
    (locale: string): Text =>
    (code, params) =>
      fillPlaces(wordsFor(catalogues.get(locale) ?? baseWords, code), params)

  async function apply(locale: Locale): Promise<boolean> {
    try {
      await fetchWords(locale)
      options.onChange?.(locale)
      inForce.set(locale)
      return true
    } catch {
      return false
    }
  }

  const chosen = chooseLocale([storage.get(STORED), options.configured, ...options.browser])
  const first = chosen === base.locale ? undefined : apply(chosen)
  return {
    locale: inForce,
    text: (code, params) => textIn(inForce.get())(code, params),
    textIn,
    need(name) {
      const locale = normaliseLocale(name)
      if (locale === undefined || catalogues.has(locale)) return null
      // Without them the page is drawn with texts of the base language.
      return fetchWords(locale).catch(() => undefined)
    },
    async ready() {
      await first
    },
    async change(name) {
      const locale = normaliseLocale(name)
      if (!locale || !(await apply(locale))) return false
      storage.set(STORED, locale)
      return true
    },
  }
}

function wordsFor(chain: readonly Catalogue[], code: string): string {
  return chain.find((one) => Object.hasOwn(one, code))?.[code] ?? code
}
