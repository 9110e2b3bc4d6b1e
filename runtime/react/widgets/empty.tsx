import { EmptyNote } from '../empty-note.tsx'
import { textOf } from '../options.ts'
import { useText } from '../page-context.ts'
import { useFire } from '../use-fire.ts'
import type { ViewProps } from '../view.ts'

export function View({ state, row }: ViewProps) {
  const t = useText()
  const fire = useFire(state, row)
  const { options } = state
  return (
    <EmptyNote
      image={textOf(options.image)}
      text={textOf(options.text) || t('widget.empty')}
      action={textOf(options.action)}
      onAction={() => void fire('click')}
    />
  )
}
