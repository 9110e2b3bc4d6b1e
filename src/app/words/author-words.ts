import words from '../../../schemas/text/zh-hans.author.json'

const CHINESE: Readonly<Record<string, string>> = words

/** The checker's words as authors read them; English where nobody translated them. Loaded where there is something wrong. */
export const inChinese = (english: string): string =>
  Object.hasOwn(CHINESE, english) ? (CHINESE[english] ?? english) : english
