import type { Catalogue } from '../../../runtime/browser/catalogue-text.ts'
import { fillPlaces } from '../../../runtime/core/errors.ts'
import type { Text } from '../../../runtime/core/ports.ts'
import type { TypedStorage } from '../storage/typed-storage.ts'
import { createStore, type Store } from '../store.ts'
import { chooseLocale, type Locale, normaliseLocale } from './locale.ts'

/** Key under which the user's choice is stored (SHELL 2.4). */
const STORED = 'UNI_LOCALE'

/** The texts of one language: our own, and those of the widget library in a format that only views know. */
export interface LanguageWords<W> {
  /** Searched in this order. */
  readonly catalogues: readonly Catalogue[]
  readonly widgetWords: W
}

export interface LanguageOptions<W> {
  readonly storage: TypedStorage
  /** Language of the product's settings. */
  readonly configured: string
  /** Languages of the browser, by preference. */
  readonly browser: readonly string[]
  /** The language that is always loaded and complete. */
  readonly base: { readonly locale: Locale; readonly catalogue: Catalogue }
  /** Loads another language. */
  readonly load: (locale: Locale) => Promise<LanguageWords<W>>
  /** Called at the start and at each change (for the document's language). */
  readonly onChange?: (locale: Locale) => void
}

/** The current language. `widgetWords` is null for the base language. */
export interface LanguageState<W> {
  readonly locale: Locale
  readonly widgetWords: W | null
}

export interface Language<W> {
  readonly state: Store<LanguageState<W>>
  readonly text: Text
  /** The texts of a page in another language than the current one, after they were loaded by {@link need}. */
  textIn(locale: string): Text
  widgetWordsIn(locale: string): W | null
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
export function createLanguage<W>(options: LanguageOptions<W>): Language<W> {
  const { storage, base } = options
  const state = createStore<LanguageState<W>>({ locale: base.locale, widgetWords: null })
  const known = new Map<string, LanguageWords<W | null>>([
    [base.locale, { catalogues: [base.catalogue], widgetWords: null }],
  ])

  async function fetchWords(locale: Locale): Promise<LanguageWords<W | null>> {
    const there = known.get(locale)
    if (there) return there
    const { catalogues, widgetWords } = await options.load(locale)
    const words = { catalogues: [...catalogues, base.catalogue], widgetWords }
    known.set(locale, words)
    return words
  }
  const wordsOf = (locale: string): LanguageWords<W | null> =>
    known.get(locale) ?? known.get(base.locale) ?? { catalogues: [], widgetWords: null }
  const textIn =
    (locale: string): Text =>
    (code, params) =>
      fillPlaces(wordsFor(wordsOf(locale).catalogues, code), params)

  async function take(locale: Locale): Promise<boolean> {
    try {
      const { widgetWords } = await fetchWords(locale)
      options.onChange?.(locale)
      state.set({ locale, widgetWords })
      return true
    } catch {
      return false
    }
  }

  const wanted = chooseLocale([storage.get(STORED), options.configured, ...options.browser])
  const first = wanted === base.locale ? undefined : take(wanted)
  return {
    state,
    text: (code, params) => textIn(state.get().locale)(code, params),
    textIn,
    widgetWordsIn: (locale) => wordsOf(locale).widgetWords,
    need(name) {
      const locale = normaliseLocale(name)
      if (locale === undefined || known.has(locale)) return null
      // Without them the page is drawn with texts of the base language.
      return fetchWords(locale).then(
        () => undefined,
        () => undefined,
      )
    },
    async ready() {
      await first
    },
    async change(name) {
      const locale = normaliseLocale(name)
      if (!locale || !(await take(locale))) return false
      storage.set(STORED, locale)
      return true
    },
  }
}

function wordsFor(chain: readonly Catalogue[], code: string): string {
  return chain.find((one) => Object.hasOwn(one, code))?.[code] ?? code
}
