import type { Plugin } from 'vite'

/** Files of widgets, whose option tables describe each option in words. */
const TABLES = /\/runtime\/core\/widgets\/[\w-]+\.ts$/
/** The index of the description among the arguments of the helpers of `option-kinds.ts`. */
const WORDS_AT: Readonly<Record<string, number>> = {
  text: 0,
  string: 0,
  flag: 0,
  number: 0,
  list: 0,
  object: 0,
  any: 0,
  rule: 0,
  code: 0,
  choice: 1,
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface Call extends Node {
  readonly callee: Node & { readonly name?: string }
  readonly arguments: readonly (Node & { readonly value?: unknown })[]
}

/** Removes the descriptions of options, which only editors and manuals show, from the code that phones load. The generators read them from the sources. */
export function withoutDocs(): Plugin {
  return {
    name: 'without-docs',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!TABLES.test(id)) return
      const cuts: (Pick<Node, 'start' | 'end'> & { readonly by: string })[] = []
      visit(this.parse(code), (call) => {
        const at = WORDS_AT[call.callee.name ?? ''] ?? -1
        const words = call.arguments[at]
        if (words?.type !== 'Literal' || typeof words.value !== 'string') return
        const isLast = at === call.arguments.length - 1
        const before = call.arguments[at - 1]
        if (isLast && before !== undefined) cuts.push({ start: before.end, end: words.end, by: '' })
        else cuts.push({ start: words.start, end: words.end, by: isLast ? '' : 'void 0' })
      })
      let short = code
      for (const { start, end, by } of cuts.sort((a, b) => b.start - a.start))
        short = `${short.slice(0, start)}${by}${short.slice(end)}`
      return { code: short, map: null }
    },
  }
}

function visit(node: unknown, found: (call: Call) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, found)
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node && node.type === 'CallExpression') found(node as unknown as Call)
    for (const value of Object.values(node)) visit(value, found)
  }
}
