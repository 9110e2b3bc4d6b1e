import { useState } from 'react'
import { Field, useField } from '../fields/field.tsx'
import { PickerButton } from '../fields/picker-button.tsx'
import { layerPart } from '../layers/layer-part.tsx'
import { textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import type { ViewProps } from '../page/view.ts'
import { idOf, idsIn, type RecordRow } from '../reference/rows.ts'
import { useNames } from '../reference/use-names.ts'

const RecordSheet = layerPart(() => import('../reference/record-sheet.tsx'))

/** A reference to a record, chosen in a sheet. The value is its id; its name is in the field beside it. */
export function View({ state }: ViewProps) {
  const t = useText()
  const engine = useEngine()
  const parts = useField(state)
  const names = useNames(state)
  const [opened, setOpened] = useState(false)
  const [wanted, setWanted] = useState(false)
  const { options } = state
  const several = options.multiple === true
  const pick = (rows: readonly RecordRow[]) => {
    setOpened(false)
    names.keep(rows)
    const ids = rows.map(idOf)
    const [row = {}] = rows
    parts.change(several ? ids : (ids[0] ?? null))
    void engine.event(state.key, 'pick', { args: [several ? [...rows] : row], row })
  }
  return (
    <Field state={state} parts={parts} read={names.text}>
      <PickerButton
        parts={parts}
        text={names.text}
        placeholder={textOf(options.placeholder) || t('widget.choose')}
        opened={opened}
        onOpen={() => {
          setWanted(true)
          setOpened(true)
        }}
        onClear={options.clearable === false || idsIn(state.value).length === 0 ? undefined : () => pick([])}
      />
      {wanted ? (
        <RecordSheet
          id={parts.sheetId}
          state={state}
          names={names.text}
          open={opened}
          onClose={() => setOpened(false)}
          onPick={pick}
        />
      ) : null}
    </Field>
  )
}
