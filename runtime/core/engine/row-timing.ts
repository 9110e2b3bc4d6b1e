import { newRowHooks, rowHooks, settledRowHooks } from '../hooks/life-hooks.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { Clock, HookCall, Write } from '../ports.ts'
import { parseCell } from '../state/cells.ts'
import type { ScriptLink } from './script-link.ts'

/** Delay of the hooks for rows that were loaded or created (HOOKS 2.4). */
const SETTLED_MS = 800
/** Delay of the hook for the blank row with which a sub-form opens. */
const FIRST_ROW_MS = 200

/** Delayed hooks of sub-forms. Nothing is scheduled on a page without such code. */
export interface RowTiming {
  /** The page has opened with its rows. */
  opened(): void
  /** A user or script added one row; its own hooks have run. */
  added(subForm: NodeKey, rowId: string): void
  /** The writes, just applied, replaced the rows of whole sub-forms (data loaded, values set, form reset). */
  written(writes: readonly Write[]): void
  /** A script replaced the rows. */
  replaced(subForm: NodeKey): void
  dispose(): void
}

export function createRowTiming({
  model,
  link,
  clock,
}: {
  readonly model: Model
  readonly link: ScriptLink
  readonly clock: Clock
}): RowTiming {
  const waiting = new Set<() => void>()
  function later(delayMs: number, calls: () => readonly HookCall[]): void {
    if (!model.page.hasCode) return
    const cancel = clock.after(delayMs, () => {
      waiting.delete(cancel)
      const fire = calls()
      if (fire.length > 0) link.commit([], fire)
    })
    waiting.add(cancel)
  }
  function settle(subForm: NodeKey): void {
    later(SETTLED_MS, () => [
      ...settledRowHooks(model, subForm, model.rowIds(subForm)),
      ...rowHooks(model, subForm, ['onSubFormRowChange']),
    ])
  }
  function written(writes: readonly Write[]): void {
    for (const { cell } of writes) {
      const target = parseCell(cell)
      if (target?.kind !== 'rows' || !model.page.hasCode) continue
      const born = newRowHooks(model, target.key, model.rowIds(target.key))
      if (born.length > 0) link.commit([], born)
      settle(target.key)
    }
  }
  return {
    opened() {
      for (const { node } of model.subForms.values()) {
        const [only, ...more] = model.rowIds(node.key)
        if (only === undefined) continue
        if (more.length === 0 && node.options.showBlankRow !== false) {
          later(FIRST_ROW_MS, () => rowHooks(model, node.key, ['onSubFormRowAdd', only]))
        }
        settle(node.key)
      }
    },
    added: (subForm, rowId) => later(SETTLED_MS, () => settledRowHooks(model, subForm, [rowId])),
    written,
    replaced: settle,
    dispose() {
      for (const cancel of waiting) cancel()
      waiting.clear()
    },
  }
}
