import PickerView from 'antd-mobile/es/components/picker-view'
import { type KeyboardEvent, useMemo } from 'react'
import type { WheelPart } from '../../core/dates/wheels.ts'
import { useText } from '../page/page-context.ts'
import '../styles/wheels.css'

/** A line of a wheel; `value` is the wheel's key for it. */
interface WheelLine {
  readonly label: string
  readonly value: string
}

export interface WheelsProps {
  /** The part that each wheel sets. */
  readonly parts: readonly WheelPart[]
  /** The lines of each wheel for the current keys; must be the same function between renders. */
  readonly columns: (keys: readonly string[]) => WheelLine[][]
  readonly keys: readonly string[]
  readonly onTurn: (keys: readonly string[]) => void
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -10,
  PageDown: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** Wheels side by side: turned by a finger, the mouse or the arrow keys, and by step buttons for screen readers. */
export function Wheels({ parts, columns, keys, onTurn }: WheelsProps) {
  const t = useText()
  const lines = columns(keys)
  // The library treats every new array as a change.
  const value = useMemo(() => [...keys], [keys])
  const columnsAt = useMemo(
    () => (chosen: readonly (string | number | null)[]) => columns(chosen.map(String)),
    [columns],
  )
  const turn = (wheel: number, by: number) => {
    const column = lines[wheel] ?? []
    const at = column.findIndex(({ value }) => value === keys[wheel])
    const next = column[Math.max(0, Math.min(column.length - 1, at + by))]
    if (next !== undefined) onTurn(keys.map((key, i) => (i === wheel ? next.value : key)))
  }
  const press = (wheel: number) => (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (by === undefined) return
    event.preventDefault()
    turn(wheel, by)
  }
  return (
    <div className="vf-wheels">
      <div aria-hidden="true">
        <PickerView
          columns={columnsAt}
          value={value}
          mouseWheel
          onChange={(chosen) => onTurn(chosen.map(String))}
        />
      </div>
      <div className="vf-wheel-keys">
        {parts.map((part, wheel) => {
          const column = lines[wheel] ?? []
          const at = column.findIndex(({ value }) => value === keys[wheel])
          const name = t(`widget.date.${part}`)
          return (
            <div key={part}>
              {/* Fingers turn the wheel below; for screen readers there are two buttons. */}
              <button type="button" tabIndex={-1} className="vf-unseen" onClick={() => turn(wheel, -1)}>
                {`${name} ${t('widget.less')}`}
              </button>
              <div
                role="spinbutton"
                tabIndex={0}
                data-first={wheel === 0 || undefined}
                aria-label={name}
                aria-valuenow={at}
                aria-valuemin={0}
                aria-valuemax={column.length - 1}
                aria-valuetext={column[at]?.label}
                onKeyDown={press(wheel)}
              />
              <button type="button" tabIndex={-1} className="vf-unseen" onClick={() => turn(wheel, 1)}>
                {`${name} ${t('widget.more')}`}
              </button>
            </div>
          )
        })}
      </div>
    </div>
  )
}
