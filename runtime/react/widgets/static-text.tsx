import { labelsOf } from '../../core/widgets/values.ts'
import { readText } from '../fields/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { Pressable } from '../kit/pressable.tsx'
import { toneClass } from '../kit/tone.ts'
import { lengthOf, numberOf, textOf } from '../page/options.ts'
import { listensTo, useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'

export function View({ state, row }: ViewProps) {
  const { options } = state
  const fire = useFire(state, row)
  const lines = numberOf(options.maxLines, 0)
  const icon = textOf(options.icon)
  const weight = textOf(options.weight)
  const text = options.bind ? boundText(state) : textOf(options.textContent)
  const drawn = (
    <div
      className={`vf-text ${toneClass(options.tone)}${lines > 0 ? ' vf-clamp' : ''}${options.preWrap === true ? ' vf-pre' : ''}${weight === '' ? '' : ` vf-${weight}`}`}
      style={{
        fontSize: lengthOf(options.fontSize),
        textAlign: alignOf(textOf(options.textAlign)),
        ...(lines > 0 ? { '--vf-lines': lines } : {}),
      }}
    >
      {icon === '' ? null : <Icon name={icon} size={16} />}
      {text}
    </div>
  )
  return listensTo(state, 'click') ? <Pressable onPress={() => void fire('click')}>{drawn}</Pressable> : drawn
}

function boundText(state: ViewProps['state']): string {
  return state.items.length > 0 ? labelsOf(state.value, state.items) : readText(state)
}

function alignOf(word: string): 'left' | 'center' | 'right' {
  return word === 'center' || word === 'right' ? word : 'left'
}
