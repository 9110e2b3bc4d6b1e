import { layerPart } from '../layers/layer-part.tsx'
import { useWanted } from '../layers/use-wanted.ts'
import { textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'

const BottomSheet = layerPart(async () => ({
  default: (await import('../layers/bottom-sheet.tsx')).BottomSheet,
}))

export function View({ state, body }: ViewProps) {
  const engine = useEngine()
  const fire = useFire(state)
  const open = state.options.open === true
  if (!useWanted(state)) return null
  const close = () => {
    engine.setOption(state.key, 'open', false)
    void fire('close')
  }
  return (
    <BottomSheet
      open={open}
      title={state.label}
      closable={state.options.closable !== false}
      height={textOf(state.options.height) || undefined}
      onClose={close}
    >
      {body}
    </BottomSheet>
  )
}
