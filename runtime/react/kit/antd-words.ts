import type { Locale } from 'antd-mobile/es/locales/base'

/** The texts of antd-mobile's components. */
export type AntdWords = Locale

const WORDS: Readonly<Record<string, () => Promise<{ readonly default: Locale }>>> = {
  en: () => import('antd-mobile/es/locales/en-US'),
  es: () => import('antd-mobile/es/locales/es-ES'),
  fr: () => import('antd-mobile/es/locales/fr-FR'),
  'zh-Hant': () => import('antd-mobile/es/locales/zh-TW'),
}

/** Loads the texts of antd-mobile's components; Chinese for an unknown language. */
export async function loadAntdWords(locale: string): Promise<AntdWords> {
  const load = Object.hasOwn(WORDS, locale) ? WORDS[locale] : undefined
  return (await (load?.() ?? import('antd-mobile/es/locales/zh-CN'))).default
}
