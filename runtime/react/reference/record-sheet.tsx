import { type ReactNode, useEffect, useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { Glyph } from '../kit/glyph.tsx'
import { textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { moveAmong } from '../pickers/move-among.ts'
import { PickerSheet } from '../pickers/picker-sheet.tsx'
import { SheetSearch } from '../pickers/sheet-search.tsx'
import { RecordFoot } from './record-foot.tsx'
import { idOf, idsIn, nameOf, type RecordRow } from './rows.ts'
import { useRecords } from './use-records.ts'
import '../styles/reference.css'

interface Props {
  readonly id: string
  readonly state: NodeState
  /** The names of the field's current value. */
  readonly names: string
  readonly open: boolean
  readonly onClose: () => void
  readonly onPick: (rows: readonly RecordRow[]) => void
}

/** The records a reference offers, from the bottom: search, choose one (or mark several), open it, create a new one. */
export default function RecordSheet({ id, state, names, open, onClose, onPick }: Props) {
  const t = useText()
  const engine = useEngine()
  const { options } = state
  const several = options.multiple === true
  const records = useRecords(state, open)
  const { recent, rows, known } = records
  const [marked, setMarked] = useState<readonly RecordRow[] | null>(null)
  useEffect(() => {
    if (!open) setMarked(null)
  }, [open])

  const chosenIds = idsIn(state.value)
  const all = [...known, ...rows, ...recent]
  const heldRow = (value: string): RecordRow =>
    all.find((row) => idOf(row) === value) ?? {
      value,
      label: chosenIds.length === 1 ? names : t('reference.unnamed'),
    }
  const chosen = marked ?? chosenIds.map(heldRow)
  const isIn = (list: readonly RecordRow[], row: RecordRow) => list.some((one) => idOf(one) === idOf(row))
  const limit = Number(options.multipleLimit ?? 0)
  const isFull = several && limit > 0 && chosen.length >= limit
  const confirm = (chosenRows: readonly RecordRow[]) => {
    void records.chosen(chosenRows)
    onPick(chosenRows)
  }
  const tap = (row: RecordRow) => {
    if (!several) confirm([row])
    else if (isIn(chosen, row)) setMarked(chosen.filter((one) => idOf(one) !== idOf(row)))
    else if (!isFull) setMarked([...chosen, row])
  }
  const option = (row: RecordRow): ReactNode => (
    <button
      key={idOf(row)}
      type="button"
      role="option"
      aria-selected={isIn(chosen, row)}
      data-first={chosen.length === 0 || isIn(chosen, row) || undefined}
      className="vf-option"
      disabled={row.disabled === true || (isFull && !isIn(chosen, row))}
      onClick={() => tap(row)}
    >
      <span>
        {nameOf(row) || t('widget.unnamed')}
        <small>{engine.fill(textOf(state.node.options.rowText) || '{{ row.desc }}', row)}</small>
      </span>
      {several ? (
        <i className="vf-option-box" aria-hidden="true" />
      ) : isIn(chosen, row) ? (
        <Glyph name="check" size={20} />
      ) : null}
    </button>
  )
  const above = several
    ? [...chosen.filter((row) => !isIn(rows, row) && !isIn(recent, row)), ...recent]
    : recent
  const below = rows.filter((row) => !isIn(above, row))
  const label = state.label || t('widget.choose')
  const [only = ''] = several ? [] : chosenIds
  return (
    <PickerSheet id={id} open={open} title={label} height="80vh" onClose={onClose}>
      <SheetSearch value={records.typed} onSearch={records.search} />
      {records.state === 'away' ? (
        <p className="vf-records-note" role="status">
          {t('reference.away')}
        </p>
      ) : null}
      <div
        className="vf-options vf-records"
        role="listbox"
        aria-label={label}
        aria-multiselectable={several || undefined}
        aria-busy={records.state === 'asking' || undefined}
        onKeyDown={moveAmong}
      >
        {above.length > 0 ? <p className="vf-records-note">{t('reference.recent')}</p> : null}
        {above.map(option)}
        {above.length > 0 && below.length > 0 ? (
          <p className="vf-records-note">{t('reference.all')}</p>
        ) : null}
        {below.map(option)}
        {records.more === null ? null : (
          <button
            type="button"
            className="vf-button vf-block"
            disabled={records.state === 'asking'}
            onClick={records.more}
          >
            {t('reference.more')}
          </button>
        )}
        {above.length + below.length > 0 ? null : (
          <div className="vf-options-none" role="status">
            {records.state === 'asking'
              ? t('widget.searching')
              : records.keyword !== ''
                ? t('reference.none')
                : records.state === 'away'
                  ? t('reference.noneKept')
                  : textOf(options.empty) || t('reference.none')}
          </div>
        )}
      </div>
      <RecordFoot
        state={state}
        keyword={records.keyword}
        shown={records.keyword === '' && known.some((row) => idOf(row) === only) ? only : ''}
        marked={several ? chosen : null}
        onClose={onClose}
        onMade={(row) => confirm(several ? [...chosen, row] : [row])}
        onDone={() => confirm(chosen)}
      />
    </PickerSheet>
  )
}
