import { Pressable } from '../kit/pressable.tsx'
import { numberOf, textOf } from '../page/options.ts'
import { GrowingChild } from '../page/page-context.ts'
import { listensTo, useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'

export function View({ state, row, body }: ViewProps) {
  const { options } = state
  const fire = useFire(state, row)
  const grow = textOf(options.grow)
  const name = [
    'vf-line',
    `vf-justify-${textOf(options.justify) || 'start'}`,
    `vf-items-${textOf(options.align) || 'center'}`,
    grow === 'all' ? 'vf-grow-all' : '',
    options.wrap === true ? 'vf-wrap' : '',
    options.vertical === true ? 'vf-vertical' : '',
  ].join(' ')
  const inner = (
    <div className={name} style={{ gap: numberOf(options.gap, 8) }}>
      <GrowingChild.Provider value={grow}>{body}</GrowingChild.Provider>
    </div>
  )
  return listensTo(state, 'click') ? <Pressable onPress={() => void fire('click')}>{inner}</Pressable> : inner
}
