import { lazy, Suspense, useState } from 'react'
import type { Json } from '../../core/json.ts'
import { shortText } from '../../core/widgets/values.ts'
import { fetchPart } from '../fetch-part.ts'
import { Field, readText, useField } from '../field.tsx'
import { textOf } from '../options.ts'
import { useText } from '../page-context.ts'
import { PickerButton } from '../picker-button.tsx'
import type { ViewProps } from '../view.ts'

const SelectSheet = lazy(() => fetchPart(() => import('../pickers/select-sheet.tsx')))

export function View({ state }: ViewProps) {
  const t = useText()
  const parts = useField(state)
  const [opened, setOpened] = useState(false)
  const [wanted, setWanted] = useState(false)
  const full = isEmpty(state.value) ? '' : readText(state)
  const several = state.options.multiple === true
  const open = () => {
    setWanted(true)
    setOpened(true)
  }
  return (
    <Field state={state} parts={parts}>
      <PickerButton
        parts={parts}
        text={shortText(full)}
        title={full}
        placeholder={textOf(state.options.placeholder) || t('widget.choose')}
        busy={state.itemsState === 'loading'}
        opened={opened}
        onOpen={open}
        onFocus={state.options.automaticDropdown === true ? open : undefined}
        onClear={state.options.clearable === false ? undefined : () => parts.change(several ? [] : null)}
      />
      {wanted ? (
        <Suspense fallback={null}>
          <SelectSheet
            id={parts.sheetId}
            state={state}
            open={opened}
            onClose={() => setOpened(false)}
            onPick={(value) => {
              setOpened(false)
              parts.change(value)
            }}
          />
        </Suspense>
      ) : null}
    </Field>
  )
}

const isEmpty = (value: Json): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)
