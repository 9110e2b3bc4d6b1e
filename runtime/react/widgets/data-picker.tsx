import { useState } from 'react'
import { pathToValue } from '../../core/widgets/tree.ts'
import { Field, readText, useField } from '../fields/field.tsx'
import { PickerButton } from '../fields/picker-button.tsx'
import { layerPart } from '../layers/layer-part.tsx'
import { textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'

const CascaderSheet = layerPart(() => import('../pickers/cascader-sheet.tsx'))

/** The sheet of a cascader. The value is that of the last level. An error of loading is shown in place of the value. */
export function View({ state }: ViewProps) {
  const { text: t } = useEngine().ports
  const parts = useField(state)
  const fire = useFire(state)
  const [opened, setOpened] = useState(false)
  const { options, items } = state
  const path = pathToValue(items, state.value).map((item) => item.value)
  const failed = state.itemsState === 'failed'
  return (
    <Field state={state} parts={parts}>
      <PickerButton
        whole={options.ellipsis === false}
        parts={parts}
        text={
          failed
            ? textOf(options.itemsError) || t('widget.items.failed')
            : state.value === null
              ? ''
              : readText(state)
        }
        placeholder={
          state.itemsState === 'loading'
            ? t('picker.load')
            : textOf(options.placeholder) || t('widget.choose')
        }
        busy={state.itemsState === 'loading'}
        opened={opened}
        onOpen={() => {
          setOpened(true)
          void fire('popupOpened')
        }}
        onClear={options.clearable === false || failed ? undefined : () => parts.change(null)}
      />
      {opened ? (
        <CascaderSheet
          id={parts.sheetId}
          state={state}
          title={textOf(options.popupTitle) || state.label || t('widget.choose')}
          chosen={path.length > 0 ? [path] : []}
          onTap={(item) => void fire('nodeClick', [{ label: item.label, value: item.value }])}
          onClose={() => {
            setOpened(false)
            void fire('popupClosed')
          }}
          onPick={([values]) => parts.change(values?.at(-1) ?? null)}
        />
      ) : null}
    </Field>
  )
}
