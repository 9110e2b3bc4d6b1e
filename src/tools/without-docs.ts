import type { Plugin } from 'vite'

/** Files of widgets, whose option tables describe each option in words: by helpers, or as `doc` of an object. */
const TABLES = /\/(?:runtime\/core\/widgets\/[\w-]+|src\/contract\/workbench-widget)\.ts$/
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

interface Property extends Node {
  readonly key: Node & { readonly name?: string }
  readonly value: Node & { readonly value?: unknown }
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
      const tree = this.parse(code)
      visit<Property>(tree, 'Property', ({ key, value }) => {
        if (key.name === 'doc' && value.type === 'Literal')
          cuts.push({ start: value.start, end: value.end, by: 'void 0' })
      })
      visit<Call>(tree, 'CallExpression', (call) => {
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

function visit<One extends Node>(node: unknown, type: string, found: (one: One) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, type, found)
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node && node.type === type) found(node as One)
    for (const value of Object.values(node)) visit(value, type, found)
  }
}
