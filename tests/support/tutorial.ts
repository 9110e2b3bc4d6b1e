/** One action that a step of the tutorial describes. */
export type Act =
  | { readonly do: 'open'; readonly path: string }
  | { readonly do: 'tap'; readonly name: string; readonly part: string }
  | { readonly do: 'type'; readonly text: string; readonly into: string }
  | { readonly do: 'choose'; readonly value: string; readonly box: string }
  | { readonly do: 'see'; readonly text: string; readonly part: string }
  | { readonly do: 'find'; readonly text: string; readonly box: string }
  | { readonly do: 'miss'; readonly text: string }
  | { readonly do: 'picture'; readonly file: string }

export interface Step {
  readonly chapter: string
  readonly who: 'desk' | 'phone'
  /** The sentence as written in the manual. */
  readonly said: string
  readonly act: Act
}

const B = '\\*\\*(.+?)\\*\\*'
const CODE = '`(.+?)`'
const SENTENCES: readonly (readonly [RegExp, (...words: string[]) => Act])[] = [
  [RegExp(`^Open ${CODE}$`), (path) => ({ do: 'open', path })],
  [RegExp(`^Tap ${B}(?: in ${B})?$`), (name, part = '') => ({ do: 'tap', name, part })],
  [RegExp(`^Type ${CODE} into ${B}$`), (text, into) => ({ do: 'type', text, into })],
  [RegExp(`^Choose ${B} for ${B}$`), (value, box) => ({ do: 'choose', value, box })],
  [RegExp(`^See ${CODE} at ${B}$`), (text, box) => ({ do: 'find', text, box })],
  [RegExp(`^See ${B}(?: in ${B})?$`), (text, part = '') => ({ do: 'see', text, part })],
  [RegExp(`^No longer see ${B}$`), (text) => ({ do: 'miss', text })],
]

/** The steps of a manual, sentence by sentence; one that cannot be parsed is an error. */
export function stepsOf(manual: string): readonly Step[] {
  let chapter = ''
  let who: Step['who'] = 'desk'
  return manual.split('\n').flatMap((line): readonly Step[] => {
    const head = /^## (.+)/.exec(line)?.[1]
    if (head !== undefined) chapter = head
    if (/^At the desk\b/.test(line)) who = 'desk'
    if (/^On the phone\b/.test(line)) who = 'phone'
    const picture = /^!\[.+\]\((.+)\)$/.exec(line)?.[1]
    if (picture !== undefined) return [{ chapter, who, said: line, act: { do: 'picture', file: picture } }]
    const step = /^\d+\. (.+)$/.exec(line)?.[1]
    return step === undefined
      ? []
      : sentencesIn(step).map((said) => ({ chapter, who, said, act: actOf(said) }))
  })
}

/** A full stop ends a sentence outside of quotes. */
const sentencesIn = (step: string): readonly string[] =>
  [...step.matchAll(/(?:\*\*.+?\*\*|`.+?`|[^.*`])+\./g)].map(([one]) => one.trim().slice(0, -1))

function actOf(said: string): Act {
  for (const [pattern, make] of SENTENCES) {
    const found = pattern.exec(said)
    if (found !== null) return make(...found.slice(1))
  }
  throw new Error(`nobody can follow “${said}”`)
}
