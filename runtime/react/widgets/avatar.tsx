import { Avatar } from '../avatar.tsx'
import { readText } from '../field.tsx'
import { numberOf, textOf } from '../options.ts'
import type { ViewProps } from '../view.ts'

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
