/** Texts that were typed and are no page: the page stays as it was, and they are taken back one by one before it is. */
export interface BrokenTexts {
  typed(text: string, isPage: boolean): void
  /** The text before the last of them; '' for that of the page. Null where the page itself is taken back. */
  undo(): string | null
}

/** So many letters more or less are one step. */
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
    undo() {
      if (steps.length === 0) return null
      steps = steps.slice(0, -1)
      return steps.at(-1)?.text ?? ''
    },
  }
}
