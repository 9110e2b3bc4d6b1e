import { useState } from 'react'
import { momentFormats, orderMoments, shownMoment } from '../../core/dates/moment-format.ts'
import type { NodeState } from '../../core/engine.ts'
import type { Json } from '../../core/json.ts'
import { layerPart } from '../layers/layer-part.tsx'
import { textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import { ClearButton } from './clear-button.tsx'
import { Field, useField } from './field.tsx'

const DateSheet = layerPart(() => import('../pickers/date-sheet.tsx'))
const TimeSheet = layerPart(() => import('../pickers/time-sheet.tsx'))

interface Props {
  readonly state: NodeState
  readonly kind: 'date' | 'time'
}

type End = 0 | 1

/** Two dates or times. The value is a pair: after the start of an empty range the end is picked next; an end before the start is swapped with it. */
export function RangeField({ state, kind }: Props) {
  const t = useText()
  const parts = useField(state)
  const fire = useFire(state)
  const [end, setEnd] = useState<End | null>(null)
  const [pending, setPending] = useState<string | null>(null)
  const [from = '', to = ''] = Array.isArray(state.value) ? (state.value as readonly Json[]).map(textOf) : []
  const stored: readonly [string, string] = [pending ?? from, pending === null ? to : '']
  const formats = momentFormats(state.options)
  const close = () => {
    setEnd(null)
    setPending(null)
  }
  const pick = (text: string) => {
    close()
    if (end === 0 && to === '') {
      setPending(text)
      setEnd(1)
      return
    }
    const pair = orderMoments(text, end === 0 ? to : stored[0], formats)
    void fire('confirm', [[...pair]])
    parts.change([...pair])
  }
  const named = (which: End): string =>
    `${state.label} ${t(which === 0 ? 'widget.from' : 'widget.to')}`.trim()
  const face = (which: End, placeholder: Json | undefined) => {
    const shown = shownMoment(stored[which], formats)
    return (
      <button
        type="button"
        className={`vf-picker-face${shown === '' ? ' vf-placeholder' : ''}`}
        aria-label={`${named(which)} ${shown}`}
        aria-haspopup="dialog"
        aria-expanded={end === which}
        aria-controls={end === which ? parts.sheetId : undefined}
        disabled={!parts.open || (which === 1 && stored[0] === '')}
        onClick={() => setEnd(which)}
      >
        <span className="vf-picker-text">
          {shown || textOf(placeholder) || t(which === 0 ? 'widget.from' : 'widget.to')}
        </span>
      </button>
    )
  }
  const sheet = (which: End) => ({
    id: parts.sheetId,
    open: true,
    title: named(which),
    value: stored[which] || stored[0],
    formats,
    onClose: close,
    onPick: pick,
  })
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
      {end === null ? null : kind === 'date' ? (
        <DateSheet key={end} state={state} {...sheet(end)} />
      ) : (
        <TimeSheet key={end} {...sheet(end)} />
      )}
    </Field>
  )
}
