import { useState } from 'react'
import type { Json } from '../../core/json.ts'
import { cascaderText } from '../../core/widgets/cascader.ts'
import { isRetired } from '../../core/widgets/retired.ts'
import { pathAlong } from '../../core/widgets/tree.ts'
import { asList, asPaths } from '../../core/widgets/values.ts'
import { Field, useField } from '../fields/field.tsx'
import { PickerButton } from '../fields/picker-button.tsx'
import { layerPart } from '../layers/layer-part.tsx'
import { textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import type { ViewProps } from '../page/view.ts'

const CascaderSheet = layerPart(() => import('../pickers/cascader-sheet.tsx'))

export function View({ state }: ViewProps) {
  const t = useText()
  const parts = useField(state)
  const [opened, setOpened] = useState(false)
  const { options } = state
  const several = options.multiple === true
  const value = asList(state.value) as readonly Json[]
  const chosen = several ? (asPaths(value) as readonly (readonly Json[])[]) : value.length > 0 ? [value] : []
  const isRetiredPath = !several && pathAlong(state.items, value).some((item) => isRetired(item, options))
  return (
    <Field state={state} parts={parts}>
      <PickerButton
        parts={parts}
        text={cascaderText(state.value, options, state.items) + (isRetiredPath ? t('widget.retired') : '')}
        placeholder={textOf(options.placeholder) || t('widget.choose')}
        busy={state.itemsState === 'loading'}
        opened={opened}
        onOpen={() => setOpened(true)}
        onClear={options.clearable === false ? undefined : () => parts.change([])}
      />
      {opened ? (
        <CascaderSheet
          id={parts.sheetId}
          state={state}
          title={state.label || t('widget.choose')}
          chosen={chosen}
          several={several}
          anyLevel={options.checkStrictly === true}
          searched={options.filterable === true}
          onClose={() => setOpened(false)}
          onPick={(paths) => parts.change(several ? paths : (paths[0] ?? []))}
        />
      ) : null}
    </Field>
  )
}
