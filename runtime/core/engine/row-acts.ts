import { newRowHooks, rowHooks } from '../hooks/life-hooks.ts'
import type { JsonObject } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { Ports } from '../ports.ts'
import type { RowTiming } from './row-timing.ts'
import type { ScriptLink } from './script-link.ts'
import type { Touched } from './touched.ts'

/** Adding and deleting sub-form rows (HOOKS 2.4): the data first, then the row hook, then onSubFormRowChange. */
export interface RowActs {
  /** Adds a row of defaults; at the end, or before the row now at `index`. */
  add(subForm: NodeKey, index?: number): void
  remove(subForm: NodeKey, index: number): void
}

export function createRowActs({
  model,
  link,
  touched,
  timing,
}: {
  model: Model
  link: ScriptLink
  touched: Touched
  timing: RowTiming
}): RowActs {
  const rowValues = (subForm: NodeKey): readonly JsonObject[] => {
    const value = model.value(subForm)
    return Array.isArray(value) ? value.map((row) => ({ ...(row as JsonObject) })) : []
  }
  return {
    add(subForm, index) {
      const count = model.rowIds(subForm).length
      const { id, writes } = model.insertRow(subForm, index ?? count, {})
      touched.mark(subForm)
      const hook = index === undefined || index === count ? 'onSubFormRowAdd' : 'onSubFormRowInsert'
      link.commit(writes, [
        ...rowHooks(model, subForm, [hook, id], ['onSubFormRowChange']),
        ...newRowHooks(model, subForm, [id]),
      ])
      timing.added(subForm, id)
    },
    remove(subForm, index) {
      const deleted = rowValues(subForm)[index] ?? null
      touched.mark(subForm)
      link.commit(
        model.deleteRow(subForm, index),
        rowHooks(model, subForm, ['onSubFormRowDelete', deleted, index], ['onSubFormRowChange']),
      )
    },
  }
}

/** The question before deleting a row, also if code deletes it (HOOKS 4.2); resolves with whether the user agreed. */
export async function confirmRemove({ feedback, text }: Pick<Ports, 'feedback' | 'text'>): Promise<boolean> {
  const question = { title: text('subForm.delete.title'), content: text('subForm.delete.ask') }
  return (await feedback.modal(question)).confirm
}
