import type { Program, Step } from './pattern-program.ts'

/**
 * Looks for a match anywhere in `text`, with its own stack and a budget: neither time nor memory grows beyond `budget`.
 *
 * @returns `found`: true or false, or null when the budget was used up before the answer was known; `spent`: at most the budget plus one
 */
export function findMatch(
  program: Program,
  text: string,
  budget: number,
): { readonly found: boolean | null; readonly usedSteps: number } {
  const machine = new Machine(program, text, budget)
  const [first] = program.steps
  const anchored = first?.op === 'assert' && first.what === 'start' && !program.flags.multiline
  const search = (): boolean | null => {
    try {
      for (let at = 0; at <= text.length; at += machine.width(at)) {
        if (machine.run(0, at)) return true
        if (anchored) return false
      }
      return false
    } catch (error) {
      if (error === OVER) return null
      throw error
    }
  }
  const found = search()
  return { found, usedSteps: budget - machine.left }
}

const OVER = new RangeError('the pattern needs too many steps')

/* Kinds of stack entries; each entry is five numbers. */
const BRANCH = 0
const RESTORE = 1
const RUN_LESS = 2
const RUN_MORE = 3
const UNSET = -1

class Machine {
  private readonly program: Program
  private readonly text: string
  private readonly slots: number[]
  private readonly stack: number[] = []
  left: number
  private pc = 0
  private pos = 0

  constructor(program: Program, text: string, budget: number) {
    this.program = program
    this.text = text
    this.left = budget
    this.slots = new Array<number>(program.slots).fill(UNSET)
  }

  /** Runs from `pc` to an accept; leaves the position after the match. On failure every slot is restored. */
  run(pc: number, pos: number): boolean {
    const base = this.stack.length
    this.pc = pc
    this.pos = pos
    for (;;) {
      this.spend(1)
      const step = this.program.steps[this.pc]
      if (step === undefined || step.op === 'accept') return true
      if (!this.take(step) && !this.backtrack(base)) return false
    }
  }

  /** Length of the character at `at`, at least 1. */
  width(at: number): number {
    const code = this.program.flags.unicode ? (this.text.codePointAt(at) ?? 0) : 0
    return code > 0xffff ? 2 : 1
  }

  private take(step: Step): boolean {
    switch (step.op) {
      case 'char':
        return this.takeChar(step.test, step.back) && this.next()
      case 'run':
        return this.takeRun(step) && this.next()
      case 'split':
        this.push(BRANCH, step.other, this.pos, 0, 0)
        return this.next()
      case 'jump':
        this.pc = step.to
        return true
      case 'save':
        this.set(step.slot, this.pos)
        return this.next()
      case 'zero':
        this.set(step.slot, 0)
        return this.next()
      case 'loop':
        return this.takeLoop(step)
      case 'again':
        return this.takeAgain(step)
      case 'assert':
        return this.holds(step.what) && this.next()
      case 'look':
        return this.takeLook(step.negative, step.next)
      case 'back':
        return this.takeBack(step.groups, step.back) && this.next()
      case 'accept':
        return true
    }
  }

  private next(): true {
    this.pc += 1
    return true
  }

  private takeChar(test: (char: string) => boolean, back: boolean): boolean {
    const char = back ? this.charBefore(this.pos) : this.charAt(this.pos)
    if (char === '' || !test(char)) return false
    this.pos += back ? -char.length : char.length
    return true
  }

  private takeRun(step: Extract<Step, { op: 'run' }>): boolean {
    const start = this.pos
    const wanted = step.greedy ? step.max : step.min
    let count = 0
    while (count < wanted && this.takeChar(step.test, step.back)) {
      count += 1
      if (count % 8 === 0) this.spend(1)
    }
    if (count < step.min) return false
    if (step.greedy && count > step.min) this.push(RUN_LESS, this.pc, this.pos, count, start)
    if (!step.greedy && count < step.max) this.push(RUN_MORE, this.pc, this.pos, count, start)
    return true
  }

  private takeLoop(step: Extract<Step, { op: 'loop' }>): boolean {
    const count = this.slots[step.count] ?? 0
    if (count >= step.max) {
      this.pc = step.exit
      return true
    }
    if (count >= step.min && !step.greedy) {
      this.push(BRANCH, -1 - this.pc, this.pos, 0, 0)
      this.pc = step.exit
      return true
    }
    if (count >= step.min) this.push(BRANCH, step.exit, this.pos, 0, 0)
    return this.enter(step)
  }

  private enter(step: Extract<Step, { op: 'loop' }>): true {
    this.set(step.start, this.pos)
    for (let slot = step.clearFrom; slot < step.clearTo; slot += 1) this.set(slot, UNSET)
    return this.next()
  }

  /** The end of an iteration: one that took nothing and was not required does not count as a match. */
  private takeAgain(step: Extract<Step, { op: 'again' }>): boolean {
    const count = this.slots[step.count] ?? 0
    if (count >= step.min && this.slots[step.start] === this.pos) return false
    this.set(step.count, count + 1)
    this.pc = step.to
    return true
  }

  private takeLook(negative: boolean, next: number): boolean {
    const base = this.stack.length
    const pos = this.pos
    const found = this.run(this.pc + 1, pos)
    if (negative || !found) this.unwind(base)
    else this.keepRestores(base)
    this.pos = pos
    this.pc = next
    return found !== negative
  }

  private takeBack(groups: readonly number[], back: boolean): boolean {
    for (const group of groups) {
      const start = this.slots[2 * group] ?? UNSET
      const end = this.slots[2 * group + 1] ?? UNSET
      if (start === UNSET || end === UNSET) continue
      return this.repeats(start, end, back)
    }
    return true
  }

  private repeats(start: number, end: number, back: boolean): boolean {
    const length = end - start
    const from = back ? this.pos - length : this.pos
    this.spend(1 + (length >> 3))
    if (from < 0 || from + length > this.text.length) return false
    for (let i = 0; i < length; ) {
      const wanted = this.charAt(start + i)
      if (!this.program.sameChar(wanted, this.charAt(from + i))) return false
      i += wanted.length
    }
    this.pos = back ? from : from + length
    return true
  }

  private holds(what: 'start' | 'end' | 'word' | 'notWord'): boolean {
    const { multiline } = this.program.flags
    if (what === 'start') return this.pos === 0 || (multiline && isLineEnd(this.text[this.pos - 1]))
    if (what === 'end') return this.pos === this.text.length || (multiline && isLineEnd(this.text[this.pos]))
    const boundary = this.isWordAt(this.pos - 1) !== this.isWordAt(this.pos)
    return boundary === (what === 'word')
  }

  private isWordAt(at: number): boolean {
    const char = this.text[at]
    return char !== undefined && this.program.isWord(char)
  }

  /* ---- the stack ---- */

  private backtrack(base: number): boolean {
    while (this.stack.length > base) {
      const e = this.pop()
      if (e.kind === RESTORE) this.slots[e.a] = e.b
      else if (e.kind === BRANCH) return this.branch(e.a, e.b)
      else if (e.kind === RUN_LESS ? this.less(e) : this.more(e)) return this.next()
    }
    return false
  }

  private branch(target: number, pos: number): boolean {
    this.pos = pos
    if (target >= 0) {
      this.pc = target
      return true
    }
    this.pc = -1 - target
    const step = this.program.steps[this.pc]
    return step?.op === 'loop' && this.enter(step)
  }

  /** Gives back the last character of a greedy run. */
  private less(e: Entry): boolean {
    const step = this.program.steps[e.a]
    if (step?.op !== 'run') return false
    const count = e.c - 1
    this.pc = e.a
    this.pos = count === 0 ? e.d : e.b - this.lastWidth(e.b, step.back)
    if (count > step.min) this.push(RUN_LESS, e.a, this.pos, count, e.d)
    return true
  }

  /** Takes one character more in a lazy run. */
  private more(e: Entry): boolean {
    const step = this.program.steps[e.a]
    this.pc = e.a
    this.pos = e.b
    if (step?.op !== 'run' || !this.takeChar(step.test, step.back)) return false
    if (e.c + 1 < step.max) this.push(RUN_MORE, e.a, this.pos, e.c + 1, e.d)
    return true
  }

  private lastWidth(pos: number, back: boolean): number {
    return back ? -this.charAt(pos).length : this.charBefore(pos).length
  }

  private set(slot: number, value: number): void {
    const old = this.slots[slot] ?? UNSET
    if (old === value) return
    this.push(RESTORE, slot, old, 0, 0)
    this.slots[slot] = value
  }

  private push(kind: number, a: number, b: number, c: number, d: number): void {
    this.spend(1)
    this.stack.push(kind, a, b, c, d)
  }

  private pop(): Entry {
    const at = this.stack.length - 5
    const [kind = 0, a = 0, b = 0, c = 0, d = 0] = this.stack.slice(at)
    this.stack.length = at
    return { kind, a, b, c, d }
  }

  private unwind(base: number): void {
    while (this.stack.length > base) {
      const e = this.pop()
      if (e.kind === RESTORE) this.slots[e.a] = e.b
    }
  }

  /** A lookaround is never re-entered, but what it captured must be undone when the whole is. */
  private keepRestores(base: number): void {
    let top = base
    for (let at = base; at < this.stack.length; at += 5) {
      if (this.stack[at] !== RESTORE) continue
      this.stack.copyWithin(top, at, at + 5)
      top += 5
    }
    this.stack.length = top
  }

  private spend(steps: number): void {
    this.left -= steps
    if (this.left < 0) throw OVER
  }

  private charAt(at: number): string {
    return this.text.slice(at, Math.min(this.text.length, at + this.width(at)))
  }

  private charBefore(at: number): string {
    if (at <= 0) return ''
    const pair = this.program.flags.unicode && at > 1 && (this.text.codePointAt(at - 2) ?? 0) > 0xffff
    return this.text.slice(pair ? at - 2 : at - 1, at)
  }
}

interface Entry {
  readonly kind: number
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
}

function isLineEnd(char: string | undefined): boolean {
  return char === '\n' || char === '\r' || char === '\u2028' || char === '\u2029'
}
