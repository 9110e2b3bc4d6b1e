/** Typed texts that are not valid pages: the page stays unchanged meanwhile, and undo removes them one by one before it changes the page. */
export interface BrokenTexts {
  typed(text: string, isPage: boolean): void
  /** A text that was typed on an earlier visit is there: a step of its own if it is not known yet. */
  found(text: string): void
  /** The text before the last of them; '' for that of the page. Null if the page itself is to be undone. */
  undo(): string | null
}

/** Differences of up to this many characters are one step. */
const STEP = 12

export function createBrokenTexts(): BrokenTexts {
  let steps: readonly { readonly text: string; readonly begun: number }[] = []
  return {
    typed(text, isPage) {
      const last = steps.at(-1)
      if (isPage) steps = []
      else if (last !== undefined && Math.abs(text.length - last.begun) < STEP)
        steps = [...steps.slice(0, -1), { ...last, text }]
      else steps = [...steps, { text, begun: text.length }]
    },
    found(text) {
      if (steps.at(-1)?.text !== text) steps = [{ text, begun: text.length }]
    },
    undo() {
      if (steps.length === 0) return null
      steps = steps.slice(0, -1)
      return steps.at(-1)?.text ?? ''
    },
  }
}
