import type { RefObject } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { Glyph } from '../kit/glyph.tsx'
import { MoreGlyph } from '../kit/more-glyphs.tsx'
import { useEngine, useText } from '../page/page-context.ts'
import { listensTo } from '../page/use-fire.ts'

/** The allowed actions on the rows of a sub-form. */
export interface RowActs {
  /** The buttons are shown: neither read-only nor in read mode, and the rows are not fixed. */
  readonly shown: boolean
  readonly canInsert: boolean
  /** The page adds rows itself (`on.addClick`): no blank rows can be inserted between others. */
  readonly byPage: boolean
  readonly canDelete: boolean
  readonly insertAfter: (index: number) => void
  /** Asks for confirmation first. */
  readonly remove: (index: number) => Promise<void>
}

/** @param after  gets the focus after a row was deleted, so that keyboard users keep their position */
export function useRowActs(state: NodeState, after: RefObject<HTMLElement | null>): RowActs {
  const engine = useEngine()
  const t = useText()
  const { options, key } = state
  const open = !state.disabled && options.actionDisabled !== true
  return {
    shown: !state.readonly && !state.readMode && options.fixedRows !== true,
    canInsert: open && options.insertDisabled !== true,
    canDelete: open && options.deleteDisabled !== true,
    byPage: listensTo(state, 'addClick'),
    insertAfter: (index) => engine.addRow(key, index + 1),
    async remove(index) {
      const id = engine.node(key).rows?.[index]?.id
      const { confirm } = await engine.ports.feedback.modal({
        title: t('subForm.delete.title'),
        content: t('subForm.delete.ask'),
      })
      const now = engine.node(key).rows?.findIndex((row) => row.id === id) ?? -1
      if (!confirm || now < 0) return
      engine.removeRow(key, now)
      after.current?.focus({ preventScroll: true })
    },
  }
}

/** The buttons of one row: insert after it, delete it. */
export function RowTools({ acts, index }: { readonly acts: RowActs; readonly index: number }) {
  const t = useText()
  if (!acts.shown) return null
  return (
    <span className="vf-row-tools">
      {acts.byPage ? null : (
        <button
          type="button"
          disabled={!acts.canInsert}
          aria-label={t('subForm.insert', { row: index + 1 })}
          onClick={() => acts.insertAfter(index)}
        >
          <Glyph name="plus" size={18} />
        </button>
      )}
      <button
        type="button"
        disabled={!acts.canDelete}
        aria-label={t('subForm.delete', { row: index + 1 })}
        onClick={() => void acts.remove(index)}
      >
        <MoreGlyph name="bin" size={18} />
      </button>
    </span>
  )
}
