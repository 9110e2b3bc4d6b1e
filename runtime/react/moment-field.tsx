import { lazy, Suspense, useState } from 'react'
import type { NodeState } from '../core/engine.ts'
import { Field, useField } from './field.tsx'
import { textOf } from './options.ts'
import { useText } from './page-context.ts'
import { PickerButton } from './picker-button.tsx'
import { useFire } from './use-fire.ts'

const DateSheet = lazy(() => import('./pickers/date-sheet.tsx'))
const TimeSheet = lazy(() => import('./pickers/time-sheet.tsx'))

interface Props {
  readonly state: NodeState
  readonly kind: 'date' | 'time'
}

/** A date or time field: its wheels are fetched and mounted when it is opened for the first time. */
export function MomentField({ state, kind }: Props) {
  const t = useText()
  const parts = useField(state)
  const fire = useFire(state)
  const [opened, setOpened] = useState(false)
  const [wanted, setWanted] = useState(false)
  const value = textOf(state.value)
  const format = textOf(state.options.valueFormat) || textOf(state.options.format)
  const close = () => setOpened(false)
  const pick = (text: string) => {
    close()
    void fire('confirm', [text])
    parts.change(text)
  }
  return (
    <Field state={state} parts={parts}>
      <PickerButton
        parts={parts}
        text={value}
        placeholder={textOf(state.options.placeholder) || t('widget.choose')}
        glyph={kind === 'date' ? 'calendar' : 'clock'}
        opened={opened}
        onOpen={() => {
          setWanted(true)
          setOpened(true)
        }}
        onClear={state.options.clearable === false ? undefined : () => parts.change(null)}
      />
      {wanted ? (
        <Suspense fallback={null}>
          {kind === 'date' ? (
            <DateSheet
              state={state}
              open={opened}
              value={value}
              format={format}
              onClose={close}
              onPick={pick}
            />
          ) : (
            <TimeSheet
              open={opened}
              title={state.label}
              value={value}
              withSeconds={/s/.test(format)}
              onClose={close}
              onPick={pick}
            />
          )}
        </Suspense>
      ) : null}
    </Field>
  )
}
