/** The output of one part of a run; it ends with `over`. */
export interface PartOutput {
  print(text: string): void
  end(): void
}

/**
 * Prints the output of parallel parts one part after another, in the order in which they began: the first unfinished one is printed immediately, the
 * others when it is their turn.
 */
export function createOrderedOutput(write: (text: string) => void): () => PartOutput {
  interface Turn {
    buffered: string
    isOver: boolean
  }
  const waiting: Turn[] = []
  const flush = (): void => {
    for (let turn = waiting[0]; turn !== undefined; turn = waiting[0]) {
      write(turn.buffered)
      turn.buffered = ''
      if (!turn.isOver) return
      waiting.shift()
    }
  }
  return () => {
    const turn: Turn = { buffered: '', isOver: false }
    waiting.push(turn)
    return {
      print(text) {
        turn.buffered += text
        if (turn === waiting[0]) flush()
      },
      end() {
        turn.isOver = true
        if (turn === waiting[0]) flush()
      },
    }
  }
}
