import { useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { type Json, sameJson, valueAt } from '../../core/json.ts'
import { withMarks } from '../../core/widgets/retired.ts'
import { asList, shortText } from '../../core/widgets/values.ts'
import { Field, readText, useField } from '../fields/field.tsx'
import { PickerButton } from '../fields/picker-button.tsx'
import { layerPart } from '../layers/layer-part.tsx'
import { textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { useScope } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'

const SelectSheet = layerPart(() => import('../pickers/select-sheet.tsx'))

export function View({ state }: ViewProps) {
  const t = useText()
  const parts = useField(state)
  const [opened, setOpened] = useState(false)
  const [wanted, setWanted] = useState(false)
  const named = useNamed(state)
  const items = withMarks(state.items, state.options, t('widget.retired'))
  const full = isEmpty(state.value) ? '' : (named ?? readText({ ...state, items }))
  const several = state.options.multiple === true
  const open = () => {
    setWanted(true)
    setOpened(true)
  }
  return (
    <Field state={state} parts={parts} {...(named === null ? {} : { read: named })}>
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
      ) : null}
    </Field>
  )
}

/** The page's text for a value that is none of the items; null if there is none. */
function useNamed({ value, items, options }: NodeState): string | null {
  const paths = Array.isArray(options.namesAt) ? options.namesAt.map(textOf) : []
  const scope = useScope(paths.length > 0)
  const isItem = (one: Json) => items.some((item) => sameJson(item.value, one))
  if (paths.length === 0 || (asList(value) as readonly Json[]).every(isItem)) return null
  const path = paths.find((one) => sameJson(valueAt(scope, one) ?? null, value))
  return path === undefined ? null : textOf(valueAt(scope, `${path}_name`)) || null
}

const isEmpty = (value: Json): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)
