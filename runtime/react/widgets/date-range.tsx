import { useState } from 'react'
import { type MomentFormats, momentFormats, shownMoment } from '../../core/dates/moment-format.ts'
import type { Json } from '../../core/json.ts'
import { ClearButton } from '../fields/clear-button.tsx'
import { Field, useField } from '../fields/field.tsx'
import { RangeField } from '../fields/range-field.tsx'
import { MoreGlyph } from '../kit/more-glyphs.tsx'
import { layerPart } from '../layers/layer-part.tsx'
import { textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'

const CalendarPicker = layerPart(() => import('../pickers/calendar-picker.tsx'))

/** Two dates on one sheet; with a time in the format, or without days (months, years), two sets of wheels. */
export function View({ state }: ViewProps) {
  const formats = momentFormats(state.options)
  return /[Hh]|^[^D]*$/.test(formats.shown) ? (
    <RangeField state={state} kind="date" />
  ) : (
    <DayRange state={state} formats={formats} />
  )
}

function DayRange({
  state,
  formats,
}: {
  readonly state: ViewProps['state']
  readonly formats: MomentFormats
}) {
  const t = useText()
  const parts = useField(state)
  const fire = useFire(state)
  const [opened, setOpened] = useState(false)
  const values = Array.isArray(state.value) ? (state.value as readonly Json[]).map(textOf) : []
  const { options } = state
  const close = () => setOpened(false)
  const end = (at: 0 | 1, placeholder: Json | undefined) => (
    <span className={values[at] ? 'vf-picker-text' : 'vf-picker-text vf-quiet'}>
      {shownMoment(values[at] ?? '', formats) ||
        textOf(placeholder) ||
        t(at === 0 ? 'widget.from' : 'widget.to')}
    </span>
  )
  const clearable = options.clearable !== false && values.length > 0 && parts.open
  return (
    <Field state={state} parts={parts}>
      <div className="vf-picker">
        <button
          type="button"
          id={parts.id}
          className="vf-picker-face vf-range-face"
          role="combobox"
          aria-haspopup="dialog"
          aria-expanded={opened}
          aria-controls={opened ? parts.sheetId : undefined}
          {...parts.naming}
          {...parts.aria}
          disabled={!parts.open}
          onClick={() => setOpened(true)}
          onFocus={parts.focus}
          onBlur={parts.blur}
        >
          {end(0, options.startPlaceholder)}
          <span aria-hidden="true">~</span>
          {end(1, options.endPlaceholder)}
          {clearable ? null : <MoreGlyph name="calendar" />}
        </button>
        {clearable ? <ClearButton onClear={() => parts.change(null)} /> : null}
      </div>
      {opened ? (
        <CalendarPicker
          id={parts.sheetId}
          state={state}
          open
          range
          values={values}
          formats={formats}
          onClose={close}
          onPick={(pair) => {
            close()
            void fire('confirm', [[...pair]])
            parts.change([...pair])
          }}
        />
      ) : null}
    </Field>
  )
}
