import type { Locale } from 'antd-mobile/es/locales/base'

/** The words that antd-mobile's own parts bring along. */
export type AntdWords = Locale

const WORDS: Readonly<Record<string, () => Promise<{ readonly default: Locale }>>> = {
  en: () => import('antd-mobile/es/locales/en-US'),
  es: () => import('antd-mobile/es/locales/es-ES'),
  fr: () => import('antd-mobile/es/locales/fr-FR'),
  'zh-Hant': () => import('antd-mobile/es/locales/zh-TW'),
}

/** Fetches the words of antd-mobile's own parts; Chinese ones for a language it does not know. */
export async function loadAntdWords(locale: string): Promise<AntdWords> {
  const load = Object.hasOwn(WORDS, locale) ? WORDS[locale] : undefined
  return (await (load?.() ?? import('antd-mobile/es/locales/zh-CN'))).default
}
