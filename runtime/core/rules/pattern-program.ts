import type { ParsedPattern, PatternNode } from './pattern-parse.ts'

/** One step of the machine in pattern-run.ts. `back`: reads towards the start of the text (inside a lookbehind). */
export type Step =
  | { readonly op: 'char'; readonly test: CharTest; readonly back: boolean }
  | {
      readonly op: 'run'
      readonly test: CharTest
      readonly back: boolean
      readonly min: number
      readonly max: number
      readonly greedy: boolean
    }
  | { readonly op: 'split'; readonly other: number }
  | { readonly op: 'jump'; readonly to: number }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'zero'; readonly slot: number }
  | {
      readonly op: 'loop'
      readonly count: number
      readonly start: number
      readonly min: number
      readonly max: number
      readonly greedy: boolean
      readonly exit: number
      readonly clearFrom: number
      readonly clearTo: number
    }
  | {
      readonly op: 'again'
      readonly count: number
      readonly start: number
      readonly min: number
      readonly to: number
    }
  | { readonly op: 'assert'; readonly what: 'start' | 'end' | 'word' | 'notWord' }
  | { readonly op: 'look'; readonly negative: boolean; readonly next: number }
  | { readonly op: 'back'; readonly groups: readonly number[]; readonly back: boolean }
  | { readonly op: 'accept' }

/** Whether one character matches. */
type CharTest = (char: string) => boolean

export interface Program {
  readonly steps: readonly Step[]
  /** Two slots per group (start, end; group 0 is unused), then the registers of the loops. */
  readonly slots: number
  readonly groupSlots: number
  readonly flags: PatternFlags
  readonly sameChar: (a: string, b: string) => boolean
  readonly isWord: CharTest
}

export interface PatternFlags {
  readonly unicode: boolean
  readonly ignoreCase: boolean
  readonly multiline: boolean
  readonly dotAll: boolean
}

/** Compiles a tree into steps. Single characters are matched by the native engine, one at a time. */
export function compilePattern(parsed: ParsedPattern, flags: PatternFlags): Program {
  const letters = `${flags.ignoreCase ? 'i' : ''}${flags.unicode ? 'u' : ''}${flags.dotAll ? 's' : ''}`
  const builder = new Builder(parsed, letters)
  builder.add(parsed.root, false)
  builder.steps.push({ op: 'accept' })
  const tests = new Map<string, CharTest>()
  return {
    steps: builder.steps,
    slots: builder.slots,
    groupSlots: 2 * (parsed.groups + 1),
    flags,
    isWord: charTest('\\w', letters),
    sameChar: (a, b) => {
      if (a === b) return true
      if (!flags.ignoreCase) return false
      const known = tests.get(a) ?? charTest(a.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'), letters)
      tests.set(a, known)
      return known(b)
    },
  }
}

class Builder {
  readonly steps: Step[] = []
  slots: number
  private readonly parsed: ParsedPattern
  private readonly letters: string

  constructor(parsed: ParsedPattern, letters: string) {
    this.parsed = parsed
    this.letters = letters
    this.slots = 2 * (parsed.groups + 1)
  }

  add(node: PatternNode, back: boolean): void {
    if (node.kind === 'char') {
      this.steps.push({ op: 'char', test: charTest(node.source, this.letters), back })
    } else if (node.kind === 'sequence') {
      for (const item of back ? node.items.toReversed() : node.items) this.add(item, back)
    } else if (node.kind === 'choice') {
      this.choice(node.items, back)
    } else if (node.kind === 'group') {
      this.steps.push({ op: 'save', slot: 2 * node.index + (back ? 1 : 0) })
      this.add(node.body, back)
      this.steps.push({ op: 'save', slot: 2 * node.index + (back ? 0 : 1) })
    } else if (node.kind === 'repeat') {
      this.repeat(node, back)
    } else if (node.kind === 'look') {
      this.look(node)
    } else if (node.kind === 'back') {
      const groups = typeof node.to === 'number' ? [node.to] : (this.parsed.names.get(node.to) ?? [])
      this.steps.push({ op: 'back', groups, back })
    } else {
      this.steps.push({ op: 'assert', what: node.what })
    }
  }

  private choice(items: readonly PatternNode[], back: boolean): void {
    const jumps: number[] = []
    for (const [i, item] of items.entries()) {
      const split = i < items.length - 1 ? this.hole() : -1
      this.add(item, back)
      if (split < 0) continue
      jumps.push(this.hole())
      this.steps[split] = { op: 'split', other: this.steps.length }
    }
    for (const jump of jumps) this.steps[jump] = { op: 'jump', to: this.steps.length }
  }

  private repeat(node: Extract<PatternNode, { kind: 'repeat' }>, back: boolean): void {
    const { min, max, greedy } = node.repeat
    if (node.body.kind === 'char') {
      this.steps.push({ op: 'run', test: charTest(node.body.source, this.letters), back, min, max, greedy })
      return
    }
    const count = this.slots
    const start = count + 1
    this.slots += 2
    this.steps.push({ op: 'zero', slot: count })
    const loop = this.hole()
    this.add(node.body, back)
    this.steps.push({ op: 'again', count, start, min, to: loop })
    const clear = { clearFrom: 2 * node.groups.from, clearTo: 2 * node.groups.to }
    this.steps[loop] = { op: 'loop', count, start, min, max, greedy, exit: this.steps.length, ...clear }
  }

  private look(node: Extract<PatternNode, { kind: 'look' }>): void {
    const head = this.hole()
    this.add(node.body, node.behind)
    this.steps.push({ op: 'accept' })
    this.steps[head] = { op: 'look', negative: node.negative, next: this.steps.length }
  }

  private hole(): number {
    this.steps.push({ op: 'accept' })
    return this.steps.length - 1
  }
}

/** Matches one character by the native engine; results for ASCII are cached. One character cannot be slow. */
function charTest(source: string, letters: string): CharTest {
  const native = new RegExp(`^(?:${source})$`, letters)
  const known = new Int8Array(128)
  return (char) => {
    const code = char.length === 1 ? char.charCodeAt(0) : 128
    if (code >= 128) return native.test(char)
    if (known[code] === 0) known[code] = native.test(char) ? 1 : -1
    return known[code] === 1
  }
}
