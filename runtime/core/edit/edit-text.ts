import { type Node, parseTree } from 'jsonc-parser'
import type { Json } from '../json.ts'
import { type Patch, type Path, patchesBetween } from './patch.ts'
import { wideJson } from './wide-json.ts'

/** `length` characters at `offset` are replaced by `content`. */
export interface TextEdit {
  readonly offset: number
  readonly length: number
  readonly content: string
}

/** The text after applying the edits one after the other. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  return edits.reduce(
    (now, { offset, length, content }) => now.slice(0, offset) + content + now.slice(offset + length),
    text,
  )
}

/** The inverse edits, which restore the text byte for byte. */
export function inverseTextEdits(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  const back: TextEdit[] = []
  let now = text
  for (const edit of edits) {
    const { offset, length, content } = edit
    back.unshift({ offset, length: content.length, content: now.slice(offset, offset + length) })
    now = applyTextEdits(now, [edit])
  }
  return back
}

/** One edit from `from` to `to`, as short as possible. */
export function textBetween(from: string, to: string): TextEdit {
  const shorter = Math.min(from.length, to.length)
  let start = 0
  while (start < shorter && from[start] === to[start]) start += 1
  let end = 0
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1
  return { offset: start, length: from.length - start - end, content: to.slice(start, to.length - end) }
}

/**
 * The patches as edits of the text a document was parsed from: only the affected places change, all other bytes stay. Inserted text is formatted like
 * its surroundings.
 */
export function editText(text: string, patches: readonly Patch[]): readonly TextEdit[] {
  const edits: TextEdit[] = []
  let now = text
  let cut: CutItem | null = null
  const push = (edit: TextEdit): void => {
    edits.push(edit)
    now = applyTextEdits(now, [edit])
  }
  for (const patch of patches) {
    if (isWhole(patch)) {
      push(textBetween(now, printLike(now, patch.value)))
      continue
    }
    if (patch.do === 'drop') {
      for (let edit = dropEdit(now, patch.path); edit !== null; edit = dropEdit(now, patch.path)) push(edit)
      continue
    }
    const before = now
    if (patch.do === 'take') cut = cutFrom(before, patch)
    push(insertion(before, patch, cut))
  }
  return edits
}

const isWhole = (patch: Patch): patch is Patch & { do: 'put' } =>
  patch.do === 'put' && patch.path.length === 0

/** One document's text changed to the content of another, preserving the bytes of what both have in common. */
export function textWith(text: string, before: Json, after: Json): string {
  return applyTextEdits(text, editText(text, patchesBetween([], before, after)))
}

/** A whole document formatted like the one it replaces. */
export function printLike(text: string, value: Json): string {
  const style = styleOf(text)
  const end = /\s*$/.exec(text)?.[0] ?? ''
  const start = text.startsWith(MARK) ? MARK : ''
  return start + printed(value, '', style) + (text.trim() === '' ? style.eol : end)
}

/** A byte order mark. */
const MARK = '\uFEFF'

interface CutItem {
  readonly raw: string
  readonly indent: string
  readonly value: Json
}

function cutFrom(text: string, { list, index }: Patch & { do: 'take' }): CutItem | null {
  const node = nodeAt(text, list)?.children?.[index]
  if (node === undefined) return null
  const raw = text.slice(node.offset, node.offset + node.length)
  return { raw, indent: indentAt(text, node.offset), value: JSON.parse(raw) as Json }
}

function insertion(text: string, patch: Exclude<Patch, { do: 'drop' }>, cut: CutItem | null): TextEdit {
  if (patch.do === 'take') return takeEdit(nodeOf(text, patch.list), patch.index)
  if (patch.do === 'insert') {
    const raw = cut !== null && JSON.stringify(cut.value) === JSON.stringify(patch.value) ? cut : null
    return insertEdit(text, nodeOf(text, patch.list), patch.index, (indent, style) =>
      raw === null ? printed(patch.value, indent, style) : indented(raw, indent),
    )
  }
  const found = nodeAt(text, patch.path)
  if (found !== undefined) {
    const content = printed(patch.value, indentAt(text, found.offset), styleOf(text))
    return { offset: found.offset, length: found.length, content }
  }
  const holder = nodeOf(text, patch.path.slice(0, -1))
  const name = JSON.stringify(String(patch.path.at(-1)))
  const place = patch.place ?? holder.children?.length ?? 0
  return insertEdit(
    text,
    holder,
    place,
    (indent, style) => `${name}:${style.gap}${printed(patch.value, indent, style)}`,
  )
}

const indented = ({ raw, indent: was }: CutItem, indent: string): string =>
  raw
    .split('\n')
    .map((line, i) => (i > 0 && line.startsWith(was) ? indent + line.slice(was.length) : line))
    .join('\n')

function dropEdit(text: string, path: Path): TextEdit | null {
  const node = nodeAt(text, path)?.parent
  const holder = node?.parent
  if (node === undefined || holder === undefined) return null
  return takeEdit(holder, holder.children?.indexOf(node) ?? 0)
}

function takeEdit(holder: Node, index: number): TextEdit {
  const children = holder.children ?? []
  const node = children[index]
  if (node === undefined) return { offset: holder.offset, length: 0, content: '' }
  const before = children[index - 1]
  const after = children[index + 1]
  const [from, to] =
    before !== undefined
      ? [endOf(before), endOf(node)]
      : after !== undefined
        ? [node.offset, after.offset]
        : [holder.offset + 1, endOf(holder) - 1]
  return { offset: from, length: to - from, content: '' }
}

const endOf = ({ offset, length }: Node): number => offset + length

function insertEdit(
  text: string,
  holder: Node,
  index: number,
  print: (indent: string, style: Style) => string,
): TextEdit {
  const style = styleOf(text)
  const children = holder.children ?? []
  const first = children[0]
  if (first === undefined) {
    const outer = indentAt(text, holder.offset)
    const indent = outer + style.unit
    const content = style.lines
      ? `${style.eol}${indent}${print(indent, style)}${style.eol}${outer}`
      : print('', style)
    return { offset: holder.offset + 1, length: holder.length - 2, content }
  }
  const lead = text.slice(holder.offset + 1, first.offset)
  const inLines = lead.includes('\n')
  const indent = inLines ? indentAt(text, first.offset) : indentAt(text, holder.offset)
  const gap = inLines ? style.eol + indent : style.gap
  const content = print(indent, style)
  const next = children[index]
  if (next !== undefined) return { offset: next.offset, length: 0, content: `${content},${gap}` }
  return { offset: endOf(children.at(-1) as Node), length: 0, content: `,${gap}${content}` }
}

interface Style {
  /** False for a text that stands on one line. */
  readonly lines: boolean
  readonly unit: string
  readonly eol: string
  /** Behind colons and commas. */
  readonly gap: string
}

function styleOf(text: string): Style {
  const lines = text.trim() === '' || text.trim().includes('\n')
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return {
    lines,
    unit: unit.startsWith('\t') ? '\t' : unit,
    eol,
    gap: lines || text.includes('": ') ? ' ' : '',
  }
}

/** White space at the beginning of the line that contains a position. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

function printed(value: Json, indent: string, { lines, unit, eol, gap }: Style): string {
  if (gap === '') return JSON.stringify(value)
  if (!lines) return wideJson(value, '', Number.NEGATIVE_INFINITY)
  return wideJson(value)
    .split('\n')
    .map((line, i) =>
      i === 0 ? line : indent + line.replace(/^(?: {2})+/, (found) => unit.repeat(found.length / 2)),
    )
    .join(eol)
}

function nodeOf(text: string, path: Path): Node {
  const node = nodeAt(text, path)
  if (node === undefined) throw new RangeError(`the text has nothing at ${path.join('.')}`)
  return node
}

let tree: { readonly text: string; readonly root: Node | undefined } = { text: '', root: undefined }

/** The value at a path; of duplicate keys the last one, which is effective. */
function nodeAt(text: string, path: Path): Node | undefined {
  if (tree.text !== text) tree = { text, root: parseTree(text) }
  let at = tree.root
  for (const step of path) {
    if (at === undefined) return undefined
    at =
      at.type === 'object'
        ? at.children?.findLast(({ children }) => children?.[0]?.value === String(step))?.children?.[1]
        : at.children?.[Number(step)]
  }
  return at
}

/** JSON pointer → position in the text, for marks and jumps; the nearest existing ancestor if the value does not exist. */
export function rangeAt(text: string, path: Path): { readonly from: number; readonly to: number } {
  for (let end = path.length; end >= 0; end -= 1) {
    const node = nodeAt(text, path.slice(0, end))
    if (node !== undefined) return { from: node.offset, to: endOf(node) }
  }
  return { from: 0, to: 0 }
}

/** The path of the value at a position in the text. */
export function pathAt(text: string, offset: number): Path {
  nodeAt(text, [])
  const steps: (string | number)[] = []
  let at = tree.root
  while (at?.children !== undefined) {
    const inner: Node | undefined = at.children.find(
      (child) => child.offset <= offset && offset <= endOf(child),
    )
    if (inner === undefined) break
    if (at.type === 'array') steps.push(at.children.indexOf(inner))
    else if (inner.type === 'property') steps.push(String(inner.children?.[0]?.value))
    at = inner.type === 'property' ? inner.children?.[1] : inner
  }
  return steps
}
