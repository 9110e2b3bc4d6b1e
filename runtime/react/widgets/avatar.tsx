import { readText } from '../fields/field.tsx'
import { Avatar } from '../kit/avatar.tsx'
import { numberOf, textOf } from '../page/options.ts'
import type { ViewProps } from '../page/view.ts'

export function View({ state }: ViewProps) {
  const { options } = state
  return (
    <Avatar
      src={textOf(options.src)}
      name={textOf(options.text) || readText(state)}
      size={numberOf(options.size, 40)}
      square={options.square === true}
    />
  )
}
