import { lazy, Suspense, useState } from 'react'
import type { NodeState } from '../core/engine.ts'
import type { Json } from '../core/json.ts'
import { ClearButton } from './clear-button.tsx'
import { fetchPart } from './fetch-part.ts'
import { Field, useField } from './field.tsx'
import { momentFormat } from './moment-field.tsx'
import { textOf } from './options.ts'
import { useText } from './page-context.ts'
import { useFire } from './use-fire.ts'

const DateSheet = lazy(() => fetchPart(() => import('./pickers/date-sheet.tsx')))
const TimeSheet = lazy(() => fetchPart(() => import('./pickers/time-sheet.tsx')))

interface Props {
  readonly state: NodeState
  readonly kind: 'date' | 'time'
}

type End = 0 | 1

/** Two dates or times. The value is a pair; an end picked before the start swaps with it. */
export function RangeField({ state, kind }: Props) {
  const t = useText()
  const parts = useField(state)
  const fire = useFire(state)
  const [end, setEnd] = useState<End | null>(null)
  const [pending, setPending] = useState<string | null>(null)
  const [from = '', to = ''] = Array.isArray(state.value) ? (state.value as readonly Json[]).map(textOf) : []
  const shown: readonly [string, string] = [pending ?? from, pending === null ? to : '']
  const format = momentFormat(state.options)
  const pick = (text: string) => {
    setEnd(null)
    if (end === 0 && to === '') {
      setPending(text)
      setEnd(1)
      return
    }
    const pair = end === 0 ? [text, to] : [pending ?? from, text]
    const ordered =
      pair[0] !== undefined && pair[1] !== undefined && pair[0] > pair[1] ? [...pair].reverse() : pair
    setPending(null)
    void fire('confirm', [ordered])
    parts.change(ordered)
  }
  const close = () => {
    setEnd(null)
    setPending(null)
  }
  const face = (which: End, placeholder: Json | undefined) => (
    <button
      type="button"
      className={`vf-picker-face${shown[which] === '' ? ' vf-placeholder' : ''}`}
      aria-label={`${state.label} ${t(which === 0 ? 'widget.from' : 'widget.to')} ${shown[which]}`}
      aria-haspopup="dialog"
      disabled={!parts.open || (which === 1 && shown[0] === '')}
      onClick={() => setEnd(which)}
    >
      <span className="vf-picker-text">
        {shown[which] || textOf(placeholder) || t(which === 0 ? 'widget.from' : 'widget.to')}
      </span>
    </button>
  )
  return (
    <Field state={state} parts={parts} group>
      <fieldset
        className="vf-range"
        id={parts.id}
        {...parts.naming}
        aria-describedby={parts.aria['aria-describedby']}
      >
        {face(0, state.options.startPlaceholder)}
        <span aria-hidden="true">~</span>
        {face(1, state.options.endPlaceholder)}
        {state.options.clearable !== false && from !== '' && parts.open ? (
          <ClearButton onClear={() => parts.change(null)} />
        ) : null}
      </fieldset>
      {end === null ? null : (
        <Suspense fallback={null}>
          {kind === 'date' ? (
            <DateSheet state={state} open value={shown[end]} format={format} onClose={close} onPick={pick} />
          ) : (
            <TimeSheet
              open
              title={state.label}
              value={shown[end]}
              withSeconds={/s/.test(format)}
              onClose={close}
              onPick={pick}
            />
          )}
        </Suspense>
      )}
    </Field>
  )
}
