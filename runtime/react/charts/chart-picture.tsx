import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { ChartData } from '../../core/widgets/chart-data.ts'
import type { Drawn } from './draw.ts'
import { lookOf } from './look.ts'

interface Props {
  readonly kind: string
  readonly data: ChartData
  /** px */
  readonly height: number
  /** A text alternative for screen readers. */
  readonly alt: string
  /** Opens the records of a tapped point. The table offers the same for keyboards. */
  readonly onPoint: ((at: number, series: number) => void) | undefined
  readonly onFail: () => void
}

/** Margin around the viewport within which a chart is drawn. */
const NEAR = '200px'

/** The picture of a chart. The library is loaded once the first chart is near the viewport. */
export function ChartPicture({ kind, data, height, alt, onPoint, onFail }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  const [width, setWidth] = useState(0)
  const [drawn, setDrawn] = useState<Drawn | null>(null)
  const scheme = useSyncExternalStore(watchScheme, () => document.documentElement.dataset.prefersColorScheme)
  const fail = useRef(onFail)
  fail.current = onFail
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const sight = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true)
      },
      { rootMargin: NEAR },
    )
    const size = new ResizeObserver(() => setWidth(element.clientWidth))
    sight.observe(element)
    size.observe(element)
    return () => {
      sight.disconnect()
      size.disconnect()
    }
  }, [])
  const shown = JSON.stringify(data)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `scheme` decides the colours that the style sheet answers
  useEffect(() => {
    const element = box.current
    if (!near || width === 0 || element === null) return
    let isCurrent = true
    void import('./draw.ts')
      .then(({ drawChart }) => {
        const read = JSON.parse(shown) as ChartData
        if (isCurrent) setDrawn(drawChart({ kind, data: read, look: lookOf(element), width, height }))
      })
      .catch(() => fail.current())
    return () => {
      isCurrent = false
    }
  }, [near, width, height, kind, shown, scheme])
  return (
    <div ref={box} className="vf-chart" style={{ height }}>
      {drawn && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the numbers of the table are buttons that do the same
        <img
          src={drawn.src}
          alt={alt}
          width={width}
          height={height}
          onClick={
            onPoint &&
            (({ nativeEvent: { offsetX, offsetY } }) => {
              const point = drawn.pointAt({ x: offsetX, y: offsetY })
              if (point !== null) onPoint(point.at, point.series)
            })
          }
        />
      )}
    </div>
  )
}

/** A picture does not use the page's style sheet: it is drawn again when that switches between light and dark. */
function watchScheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-prefers-color-scheme'] })
  return () => observer.disconnect()
}
