import { describe, expect, it } from 'vitest'
import { createTypedStorage } from '../../../src/app/storage/typed-storage.ts'
import { createLanguage } from '../../../src/app/words/language.ts'
import { chooseLocale, normaliseLocale } from '../../../src/app/words/locale.ts'
import { loadWords } from '../../../src/app/words/locale-words.ts'

describe('a language tag', () => {
  it.each([
    ['en', 'en'],
    ['en_US', 'en'],
    ['fr-CA', 'fr'],
    ['es-419', 'es'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh_Hans_HK', 'zh-Hans'],
    ['zh-Hant', 'zh-Hant'],
    ['zh-TW', 'zh-Hant'],
    ['zh_hk', 'zh-Hant'],
    ['zh-MO', 'zh-Hant'],
    ['zh-CHT', 'zh-Hant'],
    ['Chinese', 'zh-Hans'],
    ['de-DE', undefined],
    ['', undefined],
  ])('resolves %s to %s', (written, locale) => {
    expect(normaliseLocale(written)).toBe(locale)
  })
})

describe('the current language', () => {
  it.each([
    [['fr', 'zh-Hans', 'en'], 'fr'],
    [[undefined, 'zh-Hans', 'en'], 'zh-Hans'],
    [['', '', 'de', 'es-MX'], 'es'],
    [[undefined, 'xx', 'de'], 'en'],
  ])('resolves %j to %s', (wishes, locale) => {
    expect(chooseLocale(wishes)).toBe(locale)
  })

  it('is the product’s Chinese at once, without loading anything', async () => {
    const app = aLanguage()

    await app.language.ready()

    expect(app.language.text('page.failed')).toBe('超时')
    expect(app.fetched).toEqual([])
  })

  it('is the stored language; missing texts fall back to English, then Chinese, then the code', async () => {
    const app = aLanguage({ UNI_LOCALE: 'fr-FR' })

    await app.language.ready()

    expect(['page.failed', 'nav.home', 'nav.me', 'no.such'].map((code) => app.language.text(code))).toEqual([
      'expiré',
      'Home',
      '我的',
      'no.such',
    ])
    expect(app.shown).toEqual(['fr'])
  })

  it('changes on request, is stored, and is reported to listeners', async () => {
    const app = aLanguage()
    let announced = 0
    app.language.locale.subscribe(() => {
      announced += 1
    })

    expect(await app.language.change('en-GB')).toBe(true)

    expect(app.language.text('nav.home')).toBe('Home')
    expect(app.stored.get('UNI_LOCALE')).toBe('en')
    expect(announced).toBe(1)
    await app.language.change('zh-Hans')
    expect(app.language.text('nav.home')).toBe('首页')
  })

  it('stays the same if the requested language is unknown or cannot be loaded', async () => {
    const app = aLanguage()

    expect(await app.language.change('klingon')).toBe(false)
    expect(await app.language.change('es')).toBe(false)

    expect(app.language.text('nav.home')).toBe('首页')
    expect(app.stored.has('UNI_LOCALE')).toBe(false)
  })
})

it('falls back to English for loaded texts', async () => {
  const catalogues = await loadWords('es')

  expect(catalogues.map((one) => one['feedback.cancel'])).toEqual(['Cancelar', 'Cancel'])
})

function aLanguage(given: Readonly<Record<string, string>> = {}) {
  const stored = new Map(Object.entries(given))
  const fetched: string[] = []
  const shown: string[] = []
  const english = { 'page.failed': 'timed out', 'nav.home': 'Home' }
  const language = createLanguage({
    storage: createTypedStorage({
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => stored.set(key, value),
      removeItem: (key) => stored.delete(key),
    }),
    configured: 'zh-Hans',
    browser: ['en'],
    base: {
      locale: 'zh-Hans',
      catalogue: { 'page.failed': '超时', 'nav.home': '首页', 'nav.me': '我的' },
    },
    load: async (locale) => {
      fetched.push(locale)
      if (locale === 'es') throw new Error('no network')
      const own = locale === 'fr' ? [{ 'page.failed': 'expiré' }] : []
      return [...own, english]
    },
    onChange: (locale) => shown.push(locale),
  })
  return { language, stored, fetched, shown }
}
