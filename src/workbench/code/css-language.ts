import { StreamLanguage } from '@codemirror/language'
import { t } from '../context.ts'
import { type CssFault, cssFaults } from './css-faults.ts'
import type { Language } from './editor.ts'

interface State {
  /** Open brackets. */
  depth: number
  isComment: boolean
  /** After the colon of a declaration. */
  isValue: boolean
}

const css = StreamLanguage.define<State>({
  startState: () => ({ depth: 0, isComment: false, isValue: false }),
  token(stream, state) {
    if (state.isComment || stream.match('/*')) {
      state.isComment = !stream.match(/.*?\*\//)
      if (state.isComment) stream.skipToEnd()
      return 'comment'
    }
    if (stream.eatSpace()) return null
    if (stream.match(/^(?:"[^"]*"?|'[^']*'?)/)) return 'string'
    const letter = stream.peek()
    if (letter === '{' || letter === '}') {
      stream.next()
      state.depth = Math.max(0, state.depth + (letter === '{' ? 1 : -1))
      state.isValue = false
      return 'punctuation'
    }
    if (letter === ';' || (letter === ':' && state.depth > 0)) {
      stream.next()
      state.isValue = letter === ':'
      return 'punctuation'
    }
    if (state.isValue && stream.match(/^#?-?[\d.]+[\w%]*|^#[\da-f]+/i)) return 'number'
    if (stream.match(/^@[\w-]+/)) return 'keyword'
    if (stream.match(/^[\w-]+/)) return state.depth > 0 && !state.isValue ? 'propertyName' : 'string'
    stream.next()
    return null
  },
})

const WORDS: Readonly<Record<CssFault['kind'], string>> = {
  selector: 'workbench.css.selector',
  declaration: 'workbench.css.declaration',
  rule: 'workbench.css.rule',
  bracket: 'workbench.css.bracket',
}

/** The language support for a page's CSS: parts without effect are marked. */
export const pageCss = (classes: () => readonly string[]): Language => ({
  extensions: [css],
  meaning: () => null,
  complete({ state, pos, explicit }) {
    const before = state.sliceDoc(0, pos)
    const word = /[\w-]*$/.exec(before)?.[0] ?? ''
    const from = pos - word.length
    const around = before.slice(0, from)
    if (around.endsWith('.'))
      return { from, options: classes().map((label) => ({ label })), validFor: /^[\w-]*$/ }
    if (word === '' && !explicit) return null
    const isInside = around.lastIndexOf('{') > around.lastIndexOf('}')
    if (around.endsWith('var('))
      return { from, options: propertiesOf(true).map((label) => ({ label })), validFor: /^[\w-]*$/ }
    const isName = isInside && /[{;]\s*$/.test(around)
    return isName
      ? {
          from,
          options: propertiesOf(false).map((label) => ({ label, apply: `${label}: ` })),
          validFor: /^[\w-]*$/,
        }
      : null
  },
  faults: ({ state }) =>
    cssFaults(state.doc.toString()).map(({ kind, ...place }) => ({
      ...place,
      severity: kind === 'bracket' ? 'error' : 'warning',
      message: t(WORDS[kind]),
    })),
})

/** Property names that the browser supports; `own` ones are the colours and lengths of the product. */
function propertiesOf(own: boolean): readonly string[] {
  if (!own) return [...getComputedStyle(document.body)].filter((name) => !name.startsWith('-'))
  const names = new Set<string>()
  for (const { cssRules } of document.styleSheets)
    for (const rule of cssRules)
      if (rule instanceof CSSStyleRule && rule.selectorText.includes(':root'))
        for (const name of rule.style) if (name.startsWith('--vf-')) names.add(name)
  return [...names].sort()
}
