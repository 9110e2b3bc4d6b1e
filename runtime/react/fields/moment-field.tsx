import { useState } from 'react'
import { shortcutDate, writeDate } from '../../core/dates/date-text.ts'
import { momentFormats, shownMoment } from '../../core/dates/moment-format.ts'
import type { NodeState } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { MoreGlyph } from '../kit/more-glyphs.tsx'
import { uniqueKeys } from '../kit/unique-keys.ts'
import { layerPart } from '../layers/layer-part.tsx'
import { objectsOf, textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import { Field, useField } from './field.tsx'
import { PickerButton } from './picker-button.tsx'

const DateSheet = layerPart(() => import('../pickers/date-sheet.tsx'))
const TimeSheet = layerPart(() => import('../pickers/time-sheet.tsx'))

interface Props {
  readonly state: NodeState
  readonly kind: 'date' | 'time'
}

/** A date or time field. Its wheels are loaded and mounted when it is opened for the first time. */
export function MomentField({ state, kind }: Props) {
  const t = useText()
  const parts = useField(state)
  const fire = useFire(state)
  const [opened, setOpened] = useState(false)
  const [wanted, setWanted] = useState(false)
  const value = textOf(state.value)
  const formats = momentFormats(state.options)
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
        text={shownMoment(value, formats)}
        placeholder={textOf(state.options.placeholder) || t('widget.choose')}
        icon={<MoreGlyph name={kind === 'date' ? 'calendar' : 'clock'} />}
        opened={opened}
        onOpen={() => {
          setWanted(true)
          setOpened(true)
        }}
        onClear={state.options.clearable === false ? undefined : () => parts.change(null)}
      />
      {parts.open ? <Shortcuts state={state} format={formats.stored} value={value} onPick={pick} /> : null}
      {!wanted ? null : kind === 'date' ? (
        <DateSheet
          id={parts.sheetId}
          state={state}
          open={opened}
          value={value}
          formats={formats}
          onClose={close}
          onPick={pick}
        />
      ) : (
        <TimeSheet
          id={parts.sheetId}
          open={opened}
          title={state.label}
          value={value}
          formats={formats}
          onClose={close}
          onPick={pick}
        />
      )}
    </Field>
  )
}

interface ShortcutsProps {
  readonly state: NodeState
  readonly format: string
  /** The stored text. */
  readonly value: string
  readonly onPick: (text: string) => void
}

/** Buttons for common days; the current one is marked. */
function Shortcuts({ state, format, value, onPick }: ShortcutsProps) {
  const { clock } = useEngine().ports
  const chips = objectsOf(state.options.shortcuts)
  if (chips.length === 0) return null
  const keys = uniqueKeys(chips.map(({ label }) => textOf(label)))
  return (
    <div className="vf-chips">
      {chips.map((chip, i) => {
        const text = writeDate(shortcutDate(shortcutOf(chip), new Date(clock.now())), format)
        return (
          <button
            key={keys[i]}
            type="button"
            className="vf-chip"
            aria-pressed={text === value}
            onClick={() => onPick(text)}
          >
            {textOf(chip.label)}
          </button>
        )
      })}
    </div>
  )
}

const shortcutOf = ({ days, weekday, time }: JsonObject) => ({
  ...(typeof days === 'number' ? { days } : {}),
  ...(typeof weekday === 'number' ? { weekday } : {}),
  ...(typeof time === 'string' ? { time } : {}),
})
