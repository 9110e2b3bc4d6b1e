import words from '../../../schemas/text/zh-hans.author.json'

const CHINESE: Readonly<Record<string, string>> = words

/** The checker's messages in Chinese for authors; in English if there is no translation. Loaded when there is a fault. */
export const inChinese = (english: string): string =>
  Object.hasOwn(CHINESE, english) ? (CHINESE[english] ?? english) : english
