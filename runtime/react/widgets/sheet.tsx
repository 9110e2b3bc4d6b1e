import { lazy, Suspense, useState } from 'react'
import { textOf } from '../options.ts'
import { useEngine } from '../page-context.ts'
import { useFire } from '../use-fire.ts'
import type { ViewProps } from '../view.ts'

const BottomSheet = lazy(() =>
  import('../bottom-sheet.tsx').then((module) => ({ default: module.BottomSheet })),
)

export function View({ state, body }: ViewProps) {
  const engine = useEngine()
  const fire = useFire(state)
  const open = state.options.open === true
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  if (!wanted) return null
  const close = () => {
    engine.setOption(state.key, 'open', false)
    void fire('close')
  }
  return (
    <Suspense fallback={null}>
      <BottomSheet
        open={open}
        title={state.label}
        closable={state.options.closable !== false}
        height={textOf(state.options.height) || undefined}
        onClose={close}
      >
        {body}
      </BottomSheet>
    </Suspense>
  )
}
