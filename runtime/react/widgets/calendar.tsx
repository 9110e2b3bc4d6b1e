import { useState } from 'react'
import { momentFormats, shownMoment } from '../../core/dates/moment-format.ts'
import { Field, useField } from '../fields/field.tsx'
import { PickerButton } from '../fields/picker-button.tsx'
import { MoreGlyph } from '../kit/more-glyphs.tsx'
import { layerPart } from '../layers/layer-part.tsx'
import { textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'

const CalendarPicker = layerPart(() => import('../pickers/calendar-picker.tsx'))

/** Opens on a tap unless disabled or read-only, and closes after a day is chosen. */
export function View({ state }: ViewProps) {
  const t = useText()
  const parts = useField(state)
  const fire = useFire(state)
  const [opened, setOpened] = useState(false)
  const value = textOf(state.value)
  const formats = momentFormats(state.options)
  const close = () => setOpened(false)
  return (
    <Field state={state} parts={parts}>
      <PickerButton
        parts={parts}
        text={shownMoment(value, formats)}
        placeholder={textOf(state.options.placeholder) || t('widget.choose')}
        icon={<MoreGlyph name="calendar" />}
        opened={opened}
        onOpen={() => setOpened(true)}
        onClear={state.options.clearable === false ? undefined : () => parts.change(null)}
      />
      {opened ? (
        <CalendarPicker
          id={parts.sheetId}
          state={state}
          open
          values={value === '' ? [] : [value]}
          formats={formats}
          onClose={close}
          onPick={([text = '']) => {
            close()
            void fire('confirm', [text])
            parts.change(text)
          }}
        />
      ) : null}
    </Field>
  )
}
