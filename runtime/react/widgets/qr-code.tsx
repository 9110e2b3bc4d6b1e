import { useEffect, useState } from 'react'
import { fetchPart } from '../page/fetch-part.ts'
import { numberOf, textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import type { ViewProps } from '../page/view.ts'

/** Margin in modules around a code, which cameras need to find it. */
const QUIET = 4

interface Drawn {
  readonly of: string
  /** Modules per side; null if the text is too long for a code, or the library could not be loaded. */
  readonly side: number | null
  readonly path: string
}

/** A QR code, dark on white in every theme. The library is loaded with the first one. */
export function View({ state }: ViewProps) {
  const { device } = useEngine().ports
  const given = textOf(state.options.value)
  const address = given.startsWith('/') ? device.addressOf(given) : given
  const [drawn, setDrawn] = useState<Drawn>({ of: '', side: 0, path: '' })
  useEffect(() => {
    if (address === '') return
    let isWanted = true
    draw(address)
      .catch((): Drawn => ({ of: address, side: null, path: '' }))
      .then((done) => isWanted && setDrawn(done))
    return () => {
      isWanted = false
    }
  }, [address])
  if (address === '') return null
  if (drawn.of === address && drawn.side === null) return <p className="vf-quiet">{address}</p>
  const size = Math.max(48, numberOf(state.options.size, 200))
  const isDrawn = drawn.of === address
  return (
    <svg
      className="vf-qr-code"
      role="img"
      aria-label={state.label || address}
      aria-busy={!isDrawn}
      width={size}
      height={size}
      viewBox={`0 0 ${drawn.side} ${drawn.side}`}
      shapeRendering="crispEdges"
      style={{ display: 'block', margin: '0 auto', maxWidth: '100%', background: '#fff' }}
    >
      <path d={isDrawn ? drawn.path : ''} fill="#000" />
    </svg>
  )
}

async function draw(content: string): Promise<Drawn> {
  const { encode } = await fetchPart(() => import('uqr'))
  const { data, size } = encode(content, { ecc: 'M', border: QUIET })
  const path = data
    .flatMap((line, y) => line.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return { of: content, side: size, path }
}
