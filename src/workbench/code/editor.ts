import { autocompletion, type CompletionSource } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentRange,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { type Diagnostic, linter, lintGutter, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Annotation, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  type KeyBinding,
  keymap,
  lineNumbers,
  type Tooltip,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { Meaning } from './meaning.ts'
import { editorWords } from './words.ts'

export interface Mark {
  readonly from: number
  readonly to: number
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** The language of an editor's text. */
export interface Language {
  readonly extensions: readonly Extension[]
  readonly complete: CompletionSource
  /** The meaning of the word at a position; null if there is none. */
  readonly meaning: (text: string, at: number) => Meaning | null
  /** The errors in the current text. */
  readonly faults: (view: EditorView) => readonly Diagnostic[]
}

interface EditorOptions {
  readonly label: string
  readonly language: Language
  readonly onType: (text: string) => void
  /** Grows with its text up to a limit; otherwise fills its place. */
  readonly isShort?: boolean
  /** An external undo history; without one, the editor has its own. */
  readonly steps?: { readonly undo: () => void; readonly redo: () => void }
  /** The cursor was moved by the user. */
  readonly onPlace?: (text: string, offset: number) => void
}

/** A text field for code. */
export interface Editor {
  show(text: string): void
  /** Its current content. */
  text(): string
  mark(marks: readonly Mark[]): void
  reveal(range: { readonly from: number; readonly to: number }): void
  /** Re-indents every line. */
  tidy(): void
  close(): void
}

/** Marks changes that come from the page: they were not typed. */
const fromPage = Annotation.define<boolean>()

/** In a shadow root its styles are adopted style sheets; a style element would be refused by the page's policy. */
export function createEditor(host: HTMLElement, text: string, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const place = document.createElement('div')
  place.style.height = '100%'
  root.replaceChildren(place)
  const { steps, language } = options
  let marks: readonly Mark[] = []
  const view = new EditorView({
    parent: place,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        ...(steps === undefined ? [history()] : []),
        lineNumbers(),
        foldGutter(),
        drawSelection(),
        ...(options.isShort === true ? [] : [highlightActiveLine()]),
        bracketMatching(),
        highlightSelectionMatches(),
        ...language.extensions,
        indentUnit.of('  '),
        syntaxHighlighting(COLOURS),
        lintGutter(),
        linter((now) => [...language.faults(now), ...inside(marks, now.state.doc.length)], {
          delay: 200,
        }),
        hoverTooltip((now, at) => tooltipOf(language.meaning(now.state.doc.toString(), at))),
        autocompletion({ override: [language.complete] }),
        EditorState.phrases.of(editorWords()),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': options.label, tabindex: '0', ...PLAIN }),
        keymap.of([
          ...(steps === undefined ? historyKeymap : stepKeys(steps)),
          ...searchKeymap,
          ...foldKeymap,
          ...defaultKeymap,
          // In a small editor Tab moves on; in the large one Escape followed by Tab does.
          ...(options.isShort === true ? [] : [indentWithTab]),
        ]),
        OVERTYPED,
        EditorView.updateListener.of((update) => {
          const isOwn = update.transactions.some((transaction) => transaction.annotation(fromPage) === true)
          const typed = update.state.doc.toString()
          if (update.docChanged && !isOwn) options.onType(typed)
          const isPlaced = update.transactions.some((transaction) => transaction.isUserEvent('select'))
          if (update.selectionSet && isPlaced) options.onPlace?.(typed, update.state.selection.main.head)
        }),
        LOOKS,
        ...(options.isShort === true ? [SHORT] : []),
      ],
    }),
  })
  return {
    show(next) {
      const now = view.state.doc.toString()
      if (now === next) return
      view.dispatch({ changes: smallest(now, next), annotations: fromPage.of(true) })
    },
    text: () => view.state.doc.toString(),
    mark(next) {
      marks = next
      const found = [...language.faults(view), ...inside(marks, view.state.doc.length)]
      view.dispatch(setDiagnostics(view.state, found))
    },
    reveal({ from }) {
      if (view.hasFocus || from > view.state.doc.length) return
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
        annotations: fromPage.of(true),
      })
    },
    tidy() {
      const { state } = view
      const changes = indentRange(state, 0, state.doc.length)
      if (!changes.empty) view.dispatch({ changes, userEvent: 'indent' })
    },
    close: () => view.destroy(),
  }
}

function tooltipOf(meaning: Meaning | null): Tooltip | null {
  if (meaning === null) return null
  const { from: pos, to: end, description } = meaning
  return {
    pos,
    end,
    create() {
      const dom = document.createElement('div')
      dom.className = 'wb-meaning'
      dom.textContent = description
      return { dom }
    },
  }
}

const stepKeys = ({ undo, redo }: NonNullable<EditorOptions['steps']>): KeyBinding[] => [
  { key: 'Mod-z', run: () => ran(undo), preventDefault: true },
  { key: 'Mod-y', run: () => ran(redo), preventDefault: true },
  { key: 'Mod-Shift-z', run: () => ran(redo), preventDefault: true },
]

function ran(work: () => void): boolean {
  work()
  return true
}

const inside = (marks: readonly Mark[], length: number): Diagnostic[] =>
  marks.filter(({ to }) => to <= length).map((mark) => ({ ...mark }))

function smallest(from: string, to: string) {
  const shorter = Math.min(from.length, to.length)
  let start = 0
  while (start < shorter && from[start] === to[start]) start += 1
  let end = 0
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) }
}

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--vf-brand)' },
  { tag: tags.string, color: 'var(--vf-green)' },
  { tag: tags.number, color: 'var(--vf-violet)' },
  { tag: [tags.bool, tags.null], color: 'var(--vf-orange)' },
  { tag: tags.punctuation, color: 'var(--vf-text-3)' },
  { tag: tags.keyword, color: 'var(--vf-violet)' },
  { tag: tags.comment, color: 'var(--vf-text-3)' },
])

/**
 * Only text is edited: when a browser replaces a selection in coloured text it would preserve the colours in a style attribute, which the policy
 * refuses.
 */
const PLAIN = takesPlainText() ? { contenteditable: 'plaintext-only' } : {}

function takesPlainText(): boolean {
  try {
    document.createElement('div').contentEditable = 'plaintext-only'
    return true
  } catch {
    return false
  }
}

/**
 * Replacing or deleting several letters is done here: a browser preserves the colours of coloured text in a style attribute, for several lines even
 * in plain text. The editor learns of a new selection later than of the input that replaces it.
 */
const OVERTYPED = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event
    const isTyped = inputType === 'insertText' && data !== null
    if (isComposing || !(isTyped || inputType.startsWith('delete'))) return false
    const { main } = view.state.selection
    const range = main.empty ? unsyncedSelection(view) : main
    if (range === null) return false
    event.preventDefault()
    const insert = isTyped ? data : ''
    view.dispatch({
      changes: { from: range.from, to: range.to, insert },
      selection: { anchor: range.from + insert.length },
      userEvent: isTyped ? 'input.type' : 'delete',
      scrollIntoView: true,
    })
    return true
  },
})

interface TextRange {
  readonly from: number
  readonly to: number
}

/** The browser's selection that the editor does not know yet; null for none. */
function unsyncedSelection(view: EditorView): TextRange | null {
  const root = view.root as ShadowRoot & { getSelection?: () => Selection | null }
  const selection = root.getSelection?.() ?? document.getSelection()
  const { anchorNode, focusNode, anchorOffset, focusOffset, isCollapsed } = selection ?? NOWHERE
  if (isCollapsed || !view.contentDOM.contains(anchorNode) || !view.contentDOM.contains(focusNode))
    return null
  const ends = [
    view.posAtDOM(anchorNode as Node, anchorOffset),
    view.posAtDOM(focusNode as Node, focusOffset),
  ]
  const [from, to] = [Math.min(...ends), Math.max(...ends)]
  // Lines outside the viewport are not in the document: a selection of everything there means all of the text.
  const isAll = from <= view.viewport.from && to >= view.viewport.to
  if (isAll) return { from: 0, to: view.state.doc.length }
  return from < to ? { from, to } : null
}

const NOWHERE = { anchorNode: null, focusNode: null, anchorOffset: 0, focusOffset: 0, isCollapsed: true }

const SHORT = EditorView.theme({
  '&': { maxHeight: '320px' },
  '.cm-content': { minHeight: '44px' },
  '.cm-gutters': { display: 'none' },
})

const LOOKS = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--vf-text)', backgroundColor: 'var(--vf-card)' },
  '.cm-scroller': { fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace', lineHeight: '1.6' },
  '.cm-gutters': { backgroundColor: 'var(--vf-page)', color: 'var(--vf-text-3)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--vf-brand-soft)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--vf-text)' },
  '.cm-panels': {
    backgroundColor: 'var(--vf-card)',
    color: 'var(--vf-text)',
    borderTop: '1px solid var(--vf-line) !important',
  },
  '.cm-panel.cm-search': { padding: '8px 32px 8px 8px', font: '13px/1.5 var(--vf-font, sans-serif)' },
  '.cm-panel .cm-textfield': {
    minHeight: '28px',
    fontSize: '13px',
    border: '1px solid var(--vf-line-strong)',
    borderRadius: '6px',
    backgroundColor: 'var(--vf-card)',
    color: 'var(--vf-text)',
  },
  '.cm-panel .cm-button': {
    minHeight: '28px',
    padding: '2px 10px',
    fontSize: '13px',
    border: '0',
    borderRadius: '6px',
    backgroundImage: 'none',
    backgroundColor: 'var(--vf-page)',
    color: 'var(--vf-text)',
  },
  '.cm-panel.cm-search label': { fontSize: '13px' },
  '.cm-panel.cm-search [name=close]': { width: '28px', height: '28px', fontSize: '18px', color: 'inherit' },
  '.wb-meaning': { maxWidth: '320px', padding: '6px 10px', whiteSpace: 'pre-line' },
  '.cm-tooltip': {
    border: '1px solid var(--vf-line-strong)',
    backgroundColor: 'var(--vf-card)',
    color: 'var(--vf-text)',
  },
})
