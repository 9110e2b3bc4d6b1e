/** What one part of a run says; it ends with `over`. */
export interface Voice {
  say(text: string): void
  over(): void
}

/**
 * What parts say that run beside each other, told one part after the other in the order in which they began: the first that is not over is
 * heard at once, another when its turn has come.
 */
export function createTurns(write: (text: string) => void): () => Voice {
  interface Turn {
    held: string
    isOver: boolean
  }
  const waiting: Turn[] = []
  const tell = (): void => {
    for (let turn = waiting[0]; turn !== undefined; turn = waiting[0]) {
      write(turn.held)
      turn.held = ''
      if (!turn.isOver) return
      waiting.shift()
    }
  }
  return () => {
    const turn: Turn = { held: '', isOver: false }
    waiting.push(turn)
    return {
      say(text) {
        turn.held += text
        if (turn === waiting[0]) tell()
      },
      over() {
        turn.isOver = true
        if (turn === waiting[0]) tell()
      },
    }
  }
}
