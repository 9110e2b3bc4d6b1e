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
export function perform(now: Editing, edit: Edit, group?: string): Editing {
  const last = now.done.at(-1)
  if (group !== undefined && last?.group === group && now.undone.length === 0)
    return carryOut(stepBack(now, last), edit, group, now)
  return carryOut(now, edit, group, now)
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
export function retype(now: Editing, text: string, group?: string): Editing | null {
  const document = readJson(text)
  if (document === undefined) return null
  if (text === now.text) return now
  const last = now.done.at(-1)
  const isOne = group !== undefined && last?.group === group && now.undone.length === 0
  const from = isOne && last !== undefined ? stepBack(now, last) : now
  const edit: Edit = { do: 'set', path: [], value: document }
  const forth = [textBetween(from.text, text)]
  const step: Step = {
    edit,
    inverse: { do: 'set', path: [], value: from.document },
    text: forth,
    textBack: inverseTextEdits(from.text, forth),
    selectedBefore: from.selected,
    selected: now.selected,
    ...(group === undefined ? {} : { group }),
  }
  return { text, document, selected: now.selected, done: [...from.done, step], undone: [] }
}

/** Undoes one step; restores the page byte for byte. */
export function undo(now: Editing): Editing {
  const last = now.done.at(-1)
  if (last === undefined) return now
  return { ...stepBack(now, last), undone: [...now.undone, last] }
}

/** Redoes the step that was undone last. */
export function redo(now: Editing): Editing {
  const next = now.undone.at(-1)
  if (next === undefined) return now
  const applied = applyEdit(now.document, next.edit)
  if (applied === null) return now
  return {
    text: applyTextEdits(now.text, next.text),
    document: applied.document,
    selected: next.selected,
    done: [...now.done, next],
    undone: now.undone.slice(0, -1),
  }
}

/** Selects an item; not a step of its own. */
export const select = (now: Editing, selected: ItemKey | null): Editing => ({ ...now, selected })

function stepBack(now: Editing, step: Step): Editing {
  return {
    text: applyTextEdits(now.text, step.textBack),
    document: applyEdit(now.document, step.inverse)?.document ?? now.document,
    selected: step.selectedBefore,
    done: now.done.slice(0, -1),
    undone: now.undone,
  }
}
