import { useEffect, useRef, useState } from 'react'
import { Glyph } from '../kit/glyph.tsx'
import { MoreGlyph } from '../kit/more-glyphs.tsx'
import { numberOf, textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { listensTo, useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

/** Pause before the text starts to run, in milliseconds. */
const REST_MS = 1000
const SPEED = 100

/** A notice in one line: if it scrolls, it takes text width / speed per round and starts at the right edge. */
export function View({ state, row }: ViewProps) {
  const { text: t, clock } = useEngine().ports
  const fire = useFire(state, row)
  const { options } = state
  const [closed, setClosed] = useState(false)
  const words = useRef<HTMLSpanElement>(null)
  const text = textOf(options.text) || textOf(state.value)
  const speed = Math.max(1, numberOf(options.speed, SPEED))
  const runs = options.scrollable === true
  useEffect(() => {
    const line = words.current
    if (!runs || closed || line === null || text === '' || isStill()) return
    let animation: Animation | undefined
    const cancel = clock.after(REST_MS, () => {
      const room = line.parentElement?.clientWidth ?? 0
      animation = line.animate(
        [{ transform: `translateX(${room}px)` }, { transform: `translateX(-${line.offsetWidth}px)` }],
        { duration: ((line.offsetWidth + room) / speed) * 1000, iterations: Number.POSITIVE_INFINITY },
      )
    })
    return () => {
      cancel()
      animation?.cancel()
    }
  }, [runs, closed, text, speed, clock])
  if (closed || text === '') return null
  const inner = (
    <span ref={words} className="vf-news-text">
      {text}
    </span>
  )
  const look = runs ? ' vf-runs' : options.single === true ? ' vf-single' : ''
  return (
    <div
      className={`vf-news${look}`}
      role="note"
      // The document's values; without them the variant decides.
      style={{
        color: textOf(state.node.widget.options.color) || undefined,
        background: textOf(state.node.widget.options.backgroundColor) || undefined,
        fontSize: numberOf(options.fontSize, 14),
      }}
    >
      {options.showIcon === true ? <MoreGlyph name="horn" size={18} /> : null}
      <span className="vf-news-line">
        {listensTo(state, 'click') ? (
          <button type="button" onClick={() => void fire('click')}>
            {inner}
          </button>
        ) : (
          inner
        )}
      </span>
      {options.showGetMore === true ? (
        <button type="button" className="vf-news-more" onClick={() => void fire('getmore')}>
          {textOf(options.moreText) || t('notice.more')}
          <Glyph name="right" size={14} />
        </button>
      ) : options.showClose === true ? (
        <button
          type="button"
          className="vf-news-more"
          aria-label={t('notice.close')}
          onClick={() => {
            setClosed(true)
            void fire('close')
          }}
        >
          <Glyph name="cross" size={16} />
        </button>
      ) : null}
    </div>
  )
}

const isStill = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches
