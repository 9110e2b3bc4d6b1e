import { memo, useMemo, useRef } from 'react'
import type { NodeState } from '../../core/engine.ts'
import type { OptionItem } from '../../core/page/widget-spec.ts'
import { useEngine, usePage, useText } from '../page/page-context.ts'
import { useNode } from '../page/use-node.ts'
import { useMatrixKeys } from './keys.ts'
import {
  chosenOf,
  columnsOf,
  countOf,
  isChosen,
  type MatrixRow,
  openItems,
  useMatrixRows,
  withItems,
} from './rows.ts'

/** The groups as one table: a row each, columns for choices that several groups have, the others in the last column. */
export default function MatrixTable({ state }: { readonly state: NodeState }) {
  const { engine, Children } = usePage()
  const t = useText()
  const root = useRef<HTMLTableElement>(null)
  const keys = useMatrixKeys(root)
  const { rows, others } = useMatrixRows(state)
  const names = columnsOf(rows).join('\n')
  const columns = useMemo(() => (names === '' ? [] : names.split('\n')), [names])
  const ones = Math.max(0, ...rows.map((row) => row.ones.length))
  const heads = rows.find((row) => row.ones.length === ones)?.ones.map(({ label }) => label) ?? []
  const count = countOf(rows)
  /** Ticks or unticks the choices with this name in every group; all choices without a name. */
  const setAll = (name: string | null, on: boolean) => {
    for (const { ticks } of rows) {
      const items = openItems(ticks).filter(({ label }) => name === null || label === name)
      if (items.length > 0) engine.change(ticks.key, withItems(ticks, items, on))
    }
  }
  const box = (name: string | null) => (
    <AllBox
      label={name ?? state.label}
      parts={rows.map(({ ticks }) => ({
        ticks,
        items: openItems(ticks).filter(({ label }) => name === null || label === name),
      }))}
      onChange={(on) => setAll(name, on)}
    />
  )
  return (
    <>
      {rows.length === 0 ? null : (
        <div className="vf-matrix">
          <table ref={root} onKeyDown={keys.onKeyDown} onFocus={keys.onFocus}>
            <thead>
              <tr>
                <th scope="col">
                  {box(null)}
                  <span className="vf-quiet">{t('widget.matrix.count', count)}</span>
                </th>
                {heads.map((label) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
                {columns.map((name) => (
                  <th key={name} scope="col" className="vf-matrix-tick">
                    {box(name)}
                  </th>
                ))}
                <th scope="col">{t('widget.matrix.other')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row key={row.key} {...{ row, columns, heads }} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {others.length === 0 ? null : <Children container={state.key} keys={others} />}
    </>
  )
}

interface RowProps {
  readonly row: MatrixRow
  readonly columns: readonly string[]
  readonly heads: readonly string[]
}

/** A group; renders only when it changes. */
const Row = memo(
  function Row({ row: { label, ticks, ones }, columns, heads }: RowProps) {
    const engine = useEngine()
    const t = useText()
    const set = (items: readonly OptionItem[], on: boolean) =>
      engine.change(ticks.key, withItems(ticks, items, on))
    const single = ticks.items.filter((item) => !columns.includes(item.label))
    const tick = (item: OptionItem, text: string) => (
      <Box
        key={JSON.stringify(item.value)}
        spoken={`${label} ${item.label}`}
        text={text}
        chosen={isChosen(ticks, item) ? 'all' : 'none'}
        disabled={!openItems(ticks).includes(item)}
        onChange={(on) => set([item], on)}
      />
    )
    return (
      <tr data-field={ticks.address} data-key={ticks.key}>
        <th scope="row">
          <AllBox
            label={label}
            parts={[{ ticks, items: openItems(ticks) }]}
            onChange={(on) => set(openItems(ticks), on)}
          />
          <span className="vf-quiet">{t('widget.matrix.count', countOf([{ ticks }]))}</span>
          {ticks.error === null ? null : (
            <span className="vf-error" role="alert">
              {ticks.error}
            </span>
          )}
        </th>
        {heads.map((head, at) => {
          const cell = ones[at]
          return <td key={head}>{cell === undefined ? null : <One nodeKey={cell.key} group={label} />}</td>
        })}
        {columns.map((name) => {
          const item = ticks.items.find((one) => one.label === name)
          return (
            <td key={name} className="vf-matrix-tick">
              {item === undefined ? null : tick(item, '')}
            </td>
          )
        })}
        <td className="vf-matrix-rest">{single.map((item) => tick(item, item.label))}</td>
      </tr>
    )
  },
  (before, after) =>
    before.row.ticks === after.row.ticks &&
    before.row.label === after.row.label &&
    before.row.ones.length === after.row.ones.length &&
    before.columns === after.columns &&
    before.heads.join() === after.heads.join(),
)

/** A single-choice field as the browser's own select. */
function One({ nodeKey, group }: { readonly nodeKey: string; readonly group: string }) {
  const engine = useEngine()
  const field = useNode(nodeKey)
  const at = field.items.findIndex((item) => item.value === field.value)
  return (
    <select
      data-field={field.address}
      tabIndex={-1}
      aria-label={`${group} ${field.label}`}
      value={at}
      disabled={field.disabled || field.readonly}
      onChange={(event) => engine.change(nodeKey, field.items[Number(event.target.value)]?.value ?? null)}
    >
      {at === -1 ? <option value={-1} /> : null}
      {field.items.map((item, index) => (
        <option key={JSON.stringify(item.value)} value={index}>
          {item.label}
        </option>
      ))}
    </select>
  )
}

interface AllProps {
  readonly label: string
  readonly parts: readonly { readonly ticks: NodeState; readonly items: readonly OptionItem[] }[]
  readonly onChange: (on: boolean) => void
}

/** Ticks all of some choices; shows whether all, some or none are ticked. */
function AllBox({ label, parts, onChange }: AllProps) {
  const t = useText()
  const states = parts
    .filter(({ items }) => items.length > 0)
    .map(({ ticks, items }) => chosenOf(ticks, items))
  const isAll = states.length > 0 && states.every((state) => state === 'all')
  const isNone = states.every((state) => state === 'none')
  return (
    <Box
      spoken={`${t('list.pick.all')} ${label}`}
      text={label}
      chosen={isAll ? 'all' : isNone ? 'none' : 'some'}
      disabled={states.length === 0}
      onChange={() => onChange(!isAll)}
    />
  )
}

interface BoxProps {
  readonly spoken: string
  readonly text: string
  readonly chosen: 'all' | 'some' | 'none'
  readonly disabled: boolean
  readonly onChange: (on: boolean) => void
}

function Box({ spoken, text, chosen, disabled, onChange }: BoxProps) {
  return (
    <label>
      <input
        type="checkbox"
        tabIndex={-1}
        checked={chosen === 'all'}
        disabled={disabled}
        aria-label={spoken}
        ref={(element) => {
          if (element !== null) element.indeterminate = chosen === 'some'
        }}
        onChange={(event) => onChange(event.target.checked)}
      />
      {text === '' ? null : <span>{text}</span>}
    </label>
  )
}
