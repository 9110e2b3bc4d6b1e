import { formatPhrase, type ProblemPhrases } from '../../../../runtime/core/errors.ts'
import words from '../../../../schemas/text/zh-hans.author.json'

const CHINESE: Readonly<Record<string, string>> = words

/** An error in a page or module, in the words of the checker. */
interface CheckedProblem {
  readonly code: string
  readonly at: string
  readonly said: ProblemPhrases
}

/** The same error as shown to authors on a screen; in English if there is no translation. */
export interface ShownProblem {
  readonly [key: string]: string
  readonly code: string
  readonly at: string
  readonly message: string
  readonly hint: string
}

/** The error in Chinese, for the client; a terminal shows it in English. */
export function shownProblem({ code, at, said }: CheckedProblem): ShownProblem {
  return { code, at, message: formatPhrase(said.message, chinese), hint: formatPhrase(said.hint, chinese) }
}

/** The checker's English text translated; unchanged if there is no translation. */
export const chinese = (english: string): string =>
  Object.hasOwn(CHINESE, english) ? (CHINESE[english] ?? english) : english
