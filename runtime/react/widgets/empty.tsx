import { textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import { EmptyNote } from '../rows/empty-note.tsx'

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
