/** Languages with their own texts (SHELL 5). */
export const LOCALES = ['en', 'es', 'fr', 'zh-Hans', 'zh-Hant'] as const
export type Locale = (typeof LOCALES)[number]

/** Used if neither the device, the settings nor the browser names a supported language (SHELL 2.4). */
export const DEFAULT_LOCALE: Locale = 'en'

const TRADITIONAL = ['-hant', '-tw', '-hk', '-mo', '-cht']
const PREFIXES: readonly Locale[] = ['en', 'fr', 'es']

/** The supported language for a language tag in any common notation (SHELL 2.4); undefined if none fits. */
export function normaliseLocale(written: string): Locale | undefined {
  const tag = written.trim().replaceAll('_', '-')
  const exact = LOCALES.find((one) => one === tag)
  if (exact) return exact
  const lower = tag.toLowerCase()
  if (lower === 'chinese') return 'zh-Hans'
  if (lower.startsWith('zh')) {
    if (lower.includes('-hans')) return 'zh-Hans'
    return TRADITIONAL.some((part) => lower.includes(part)) ? 'zh-Hant' : 'zh-Hans'
  }
  return PREFIXES.find((one) => lower.startsWith(one))
}

/** The first supported language of: stored by the user, configured, the browser's own; else {@link DEFAULT_LOCALE}. */
export function chooseLocale(wishes: readonly unknown[]): Locale {
  for (const wish of wishes) {
    const locale = typeof wish === 'string' && wish !== '' ? normaliseLocale(wish) : undefined
    if (locale) return locale
  }
  return DEFAULT_LOCALE
}
