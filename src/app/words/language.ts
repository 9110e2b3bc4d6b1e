import type { Catalogue } from '../../../runtime/browser/catalogue-text.ts'
import { fillPlaces } from '../../../runtime/core/errors.ts'
import type { Text } from '../../../runtime/core/ports.ts'
import type { TypedStorage } from '../storage/typed-storage.ts'
import { createStore, type Store } from '../store.ts'
import { chooseLocale, type Locale, normaliseLocale } from './locale.ts'

/** Where the user's own choice is kept (SHELL 2.4). */
const STORED = 'UNI_LOCALE'

/** The words of one language: our own texts, and those of the widget library in a form only the views know. */
export interface LanguageWords<W> {
  /** Looked into in this order. */
  readonly catalogues: readonly Catalogue[]
  readonly widgetWords: W
}

export interface LanguageOptions<W> {
  readonly storage: TypedStorage
  /** Language of the product's settings. */
  readonly configured: string
  /** Languages of the browser, the most wanted first. */
  readonly browser: readonly string[]
  /** The language that is always at hand, with every text. */
  readonly base: { readonly locale: Locale; readonly catalogue: Catalogue }
  /** Fetches another language. */
  readonly load: (locale: Locale) => Promise<LanguageWords<W>>
  /** Told at the start and with each change (the document's own language). */
  readonly onChange?: (locale: Locale) => void
}

/** The language in force. `widgetWords` is null for the base language. */
export interface LanguageState<W> {
  readonly locale: Locale
  readonly widgetWords: W | null
}

export interface Language<W> {
  readonly state: Store<LanguageState<W>>
  readonly text: Text
  /** What a page in another language than the one in force is drawn with; its words have been fetched by {@link need}. */
  textIn(locale: string): Text
  widgetWordsIn(locale: string): W | null
  /** Resolves when the words of a page's language are there; null when they are. */
  need(locale: string): Promise<void> | null
  /** Resolves when the words of the language of this visit are there; at once for the base language. */
  ready(): Promise<void>
  /** Stores the choice and goes over to it; a name of no language of ours changes nothing. Answers whether it was taken. */
  change(name: string): Promise<boolean>
}

/**
 * Texts in the language in force, else in English, else in the base language, else the code itself (SHELL 2.4). A language that
 * cannot be fetched leaves the one in force.
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
      // Without them the page is drawn in the base language's words rather than not at all.
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
