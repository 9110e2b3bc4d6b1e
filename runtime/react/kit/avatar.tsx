import { useState } from 'react'
import { useAddress } from '../page/use-address.ts'
import { safeImage } from './safe-url.ts'

interface Props {
  readonly src: string
  readonly name: string
  readonly size?: number
  readonly square?: boolean
}

/** Backgrounds with a contrast of at least 4.5 to white letters. */
const COLOURS = [
  '#2f6fed',
  '#0f766e',
  '#b45309',
  '#7c3aed',
  '#be185d',
  '#0369a1',
  '#4d7c0f',
  '#b91c1c',
] as const

/** A picture, or letters of the name on a colour that is derived from the name. */
export function Avatar({ src, name, size = 40, square = false }: Props) {
  const [failed, setFailed] = useState(false)
  const url = safeImage(useAddress(src))
  const box = { width: size, height: size, borderRadius: square ? 10 : size / 2 }
  if (url !== '' && !failed) {
    return (
      <img
        className="vf-avatar"
        src={url}
        alt=""
        style={box}
        loading="lazy"
        onError={() => setFailed(true)}
      />
    )
  }
  return (
    <span
      className="vf-avatar"
      aria-hidden="true"
      style={{ ...box, fontSize: size * 0.4, background: colourFor(name) }}
    >
      {lettersOf(name)}
    </span>
  )
}

/** Chinese names are abbreviated by their end, others by their start. */
function lettersOf(name: string): string {
  const signs = [...name.trim()]
  return /\p{Script=Han}/u.test(name) && signs.length <= 3
    ? signs.slice(-2).join('')
    : signs.slice(0, 1).join('').toUpperCase()
}

function colourFor(name: string): string {
  let sum = 0
  for (const sign of name) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 9973
  return COLOURS[sum % COLOURS.length] ?? COLOURS[0]
}
