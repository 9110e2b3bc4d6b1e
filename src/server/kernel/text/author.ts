import { type Said, spoken } from '../../../../runtime/core/errors.ts'
import words from '../../../../schemas/text/zh-hans.author.json'

const CHINESE: Readonly<Record<string, string>> = words

/** A fault of a page or a module, in the words of the checker. */
interface Spoken {
  readonly code: string
  readonly at: string
  readonly said: Said
}

/** The same fault as authors read it on a screen. What nobody translated is told in English. */
export interface ToldProblem {
  readonly [key: string]: string
  readonly code: string
  readonly at: string
  readonly message: string
  readonly hint: string
}

/** The fault in Chinese, for the wire; a terminal has it in English. */
export function toldProblem({ code, at, said }: Spoken): ToldProblem {
  return { code, at, message: spoken(said.message, chinese), hint: spoken(said.hint, chinese) }
}

/** What the checker says in English; itself where nobody translated it. */
export const chinese = (english: string): string =>
  Object.hasOwn(CHINESE, english) ? (CHINESE[english] ?? english) : english
