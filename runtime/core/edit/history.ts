import type { Json } from '../json.ts'
import { applyEdit } from './apply-edit.ts'
import type { Edit } from './edit.ts'
import { applyTextEdits, editText, inverseTextEdits, type TextEdit, textBetween } from './edit-text.ts'
import { type ItemKey, PAGE } from './entries.ts'

/** One step that can be undone, on the document and on its text. */
export interface Step {
  readonly edit: Edit
  readonly inverse: Edit
  readonly text: readonly TextEdit[]
  readonly textBack: readonly TextEdit[]
  /** The selection before and after it. */
  readonly selectedBefore: ItemKey | null
  readonly selected: ItemKey | null
  /** Consecutive steps of one group are merged, such as typing into a field. */
  readonly group?: string
}

/** A page being edited. The text is authoritative, the document is its content; both are only ever replaced. */
export interface Editing {
  readonly text: string
  readonly document: Json
  readonly selected: ItemKey | null
  readonly done: readonly Step[]
  /** Undone steps, the most recent first. */
  readonly undone: readonly Step[]
}

/** Opens a text; null if it is not valid JSON. */
export function openText(text: string): Editing | null {
  const document = readJson(text)
  return document === undefined ? null : { text, document, selected: null, done: [], undone: [] }
}

/** The content of the text; undefined if it is not valid JSON. */
export function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as Json
  } catch {
    return undefined
  }
}

/** The page after the edit; unchanged if the edit is impossible. */
export function perform(current: Editing, edit: Edit, group?: string): Editing {
  const last = current.done.at(-1)
  if (group !== undefined && last?.group === group && current.undone.length === 0)
    return carryOut(stepBack(current, last), edit, group, current)
  return carryOut(current, edit, group, current)
}

function carryOut(from: Editing, edit: Edit, group: string | undefined, failed: Editing): Editing {
  const applied = applyEdit(from.document, edit)
  if (applied === null) return failed
  if (applied.patches.length === 0) return { ...from, undone: [] }
  const text = editText(from.text, applied.patches)
  // Without a selected item, the page itself is meant.
  const selected = applied.key === PAGE ? null : applied.key
  const step: Step = {
    edit,
    inverse: applied.inverse,
    text,
    textBack: inverseTextEdits(from.text, text),
    selectedBefore: from.selected,
    selected,
    ...(group === undefined ? {} : { group }),
  }
  return {
    text: applyTextEdits(from.text, text),
    document: applied.document,
    selected,
    done: [...from.done, step],
    undone: [],
  }
}

/**
 * The page with a text typed by the user, merged with previous typing of the same `group`; null while it is not valid JSON, and the page stays
 * unchanged.
 */
export function retype(current: Editing, text: string, group?: string): Editing | null {
  const document = readJson(text)
  if (document === undefined) return null
  if (text === current.text) return current
  const last = current.done.at(-1)
  const isOne = group !== undefined && last?.group === group && current.undone.length === 0
  const from = isOne && last !== undefined ? stepBack(current, last) : current
  const edit: Edit = { do: 'set', path: [], value: document }
  const forth = [textBetween(from.text, text)]
  const step: Step = {
    edit,
    inverse: { do: 'set', path: [], value: from.document },
    text: forth,
    textBack: inverseTextEdits(from.text, forth),
    selectedBefore: from.selected,
    selected: current.selected,
    ...(group === undefined ? {} : { group }),
  }
  return { text, document, selected: current.selected, done: [...from.done, step], undone: [] }
}

/** Undoes one step; restores the page byte for byte. */
export function undo(current: Editing): Editing {
  const last = current.done.at(-1)
  if (last === undefined) return current
  return { ...stepBack(current, last), undone: [...current.undone, last] }
}

/** Redoes the step that was undone last. */
export function redo(current: Editing): Editing {
  const next = current.undone.at(-1)
  if (next === undefined) return current
  const applied = applyEdit(current.document, next.edit)
  if (applied === null) return current
  return {
    text: applyTextEdits(current.text, next.text),
    document: applied.document,
    selected: next.selected,
    done: [...current.done, next],
    undone: current.undone.slice(0, -1),
  }
}

/** Selects an item; not a step of its own. */
export const select = (current: Editing, selected: ItemKey | null): Editing => ({ ...current, selected })

function stepBack(current: Editing, step: Step): Editing {
  return {
    text: applyTextEdits(current.text, step.textBack),
    document: applyEdit(current.document, step.inverse)?.document ?? current.document,
    selected: step.selectedBefore,
    done: current.done.slice(0, -1),
    undone: current.undone,
  }
}
