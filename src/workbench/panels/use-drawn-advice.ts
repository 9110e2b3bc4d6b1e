import { useEffect, useState } from 'react'
import { itemsOf } from '../../../runtime/core/edit/entries.ts'
import type { PlacedAdvice } from '../advice.ts'
import { nodeKeyOf } from '../canvas/canvas.tsx'
import { checkDrawn } from '../canvas/check-drawn.ts'
import { isReference } from '../canvas/resolve-page.ts'
import { useCanvas } from '../canvas/use-drawn.ts'
import { t, useEditing } from '../context.ts'

/** Pictures and answers arrive after the page, so it is checked periodically. */
const POLL_INTERVAL_MS = 1_000

/** The time within which a page should be drawn on a phone, in milliseconds; a phone is slower than a desktop by the factor below. */
const MAX_DRAW_MS = 150
const SLOWER = 4

/** Advice on the page on the canvas. The content of a shared part has to be changed in that part. */
export function useDrawnAdvice(): readonly PlacedAdvice[] {
  const { drawn, drawMs, redraw } = useCanvas()
  const { document } = useEditing()
  const [list, setList] = useState<readonly PlacedAdvice[]>([])
  useEffect(() => {
    const look = () => {
      const paper = globalThis.document.querySelector<HTMLElement>('.wb-paper')
      const items = itemsOf(document)
      const found = paper === null || drawn?.engine == null ? [] : checkDrawn(paper, nodeKeyOf)
      const advice = found.flatMap(({ name, node, words }): PlacedAdvice[] => {
        const pointer = drawn?.engine?.page.nodes.get(node)?.pointer
        const key = pointer === undefined ? undefined : drawn?.resolved.keyAt(pointer)
        const item = key === undefined ? undefined : items.get(key)
        if (key === undefined || item === undefined || isReference(item.written)) return []
        return [{ name, key, message: t(`workbench.advice.${name}`, words), edit: null }]
      })
      setList((known) => (JSON.stringify(known) === JSON.stringify(advice) ? known : advice))
    }
    look()
    const timer = setInterval(look, POLL_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [drawn, document])
  useEffect(() => {
    if (drawn !== null && drawMs === null) redraw()
  }, [drawn, drawMs, redraw])
  const ms = (drawMs ?? 0) * SLOWER
  if (ms <= MAX_DRAW_MS) return list
  const message = t('workbench.advice.page-slow', { ms, most: MAX_DRAW_MS })
  return [...list, { name: 'page-slow', key: null, message: message, edit: null }]
}
