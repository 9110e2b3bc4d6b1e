import { lazy, Suspense, useState } from 'react'
import { pathLabels } from '../../core/widgets/values.ts'
import { Field, useField } from '../field.tsx'
import { textOf } from '../options.ts'
import { useText } from '../page-context.ts'
import { PickerButton } from '../picker-button.tsx'
import type { ViewProps } from '../view.ts'

const CascaderSheet = lazy(() => import('../pickers/cascader-sheet.tsx'))

export function View({ state }: ViewProps) {
  const t = useText()
  const parts = useField(state)
  const [opened, setOpened] = useState(false)
  return (
    <Field state={state} parts={parts}>
      <PickerButton
        parts={parts}
        text={pathLabels(state.value, state.items)}
        placeholder={textOf(state.options.placeholder) || t('widget.choose')}
        opened={opened}
        onOpen={() => setOpened(true)}
        onClear={state.options.clearable === false ? undefined : () => parts.change([])}
      />
      {opened ? (
        <Suspense fallback={null}>
          <CascaderSheet state={state} onClose={() => setOpened(false)} onPick={parts.change} />
        </Suspense>
      ) : null}
    </Field>
  )
}
