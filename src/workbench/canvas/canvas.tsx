import { type PointerEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { itemsOf } from '../../../runtime/core/edit/entries.ts'
import type { Engine } from '../../../runtime/core/engine.ts'
import { DESKTOP_MIN_PX, FrameWidth } from '../../../runtime/react/kit/use-is-desktop.ts'
import { PageVisible, useEngine, usePage, WindowScroll } from '../../../runtime/react/page/page-context.ts'
import { t, useBench, useBenchState, useEditing } from '../context.ts'
import { dragPayload, useDragHandle, useDropZone, usePlacing, useRefs } from '../dragging.tsx'
import { useTitles } from '../panels/titles.ts'
import { dropSpot, type Placing } from '../placing.ts'
import { nodesOf } from './draw.ts'
import { enlargeText, type TextSize } from './large-text.ts'
import { useCanvas } from './use-drawn.ts'

interface Props {
  readonly width: number
  /** False: taps reach the page, as in use. */
  readonly designs: boolean
  readonly scale: number
  readonly textSize: TextSize
}

/** The page in the frame of a phone, a tablet or a desktop, drawn by the runtime; in design mode a tap selects. */
export function CanvasView({ width, designs, scale, textSize }: Props) {
  const { drawn, drew } = useCanvas()
  const { Page } = usePage()
  const { clock } = useEngine().ports
  const screen = useRef<HTMLDivElement>(null)
  const begun = useMemo(() => (drawn === null ? 0 : clock.now()), [drawn, clock])
  useLayoutEffect(() => {
    if (drawn !== null) drew(clock.now() - begun)
  }, [drawn, begun, clock, drew])
  const engine = drawn?.engine ?? null
  const paper = useRef<HTMLDivElement>(null)
  useEffect(() => (paper.current === null ? undefined : enlargeText(paper.current, textSize)), [textSize])
  return (
    <div className="wb-phone" style={{ width: `${width * scale}px` }}>
      <div className="wb-screen" style={{ width: `${width}px`, zoom: scale }} data-frame={width}>
        <Title engine={engine} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys are to scroll it where nothing in it takes the focus */}
        <div className="wb-scroll" ref={screen} tabIndex={0}>
          {/* In the frame of a desk a page stands as the app has it there, alone beside the menus. */}
          <div
            className={width >= DESKTOP_MIN_PX ? 'wb-paper app-desk' : 'wb-paper'}
            inert={designs}
            ref={paper}
          >
            <div className="page-alone">
              <FrameWidth.Provider value={width}>
                <WindowScroll.Provider value={false}>
                  <PageVisible.Provider value={!designs}>
                    {engine && <Page engine={engine} />}
                  </PageVisible.Provider>
                </WindowScroll.Provider>
              </FrameWidth.Provider>
            </div>
          </div>
          {engine === null && <p className="wb-quiet">{t('workbench.canvas.opening')}</p>}
          {designs && <Glass screen={screen} />}
        </div>
      </div>
    </div>
  )
}

function Title({ engine }: { readonly engine: Engine | null }) {
  const [title, setTitle] = useState('')
  useEffect(() => {
    if (engine === null) return
    const read = () => setTitle(engine.fill(engine.page.settings.title ?? ''))
    read()
    return engine.subscribeScope(read)
  }, [engine])
  return <div className="wb-screen-bar">{title}</div>
}

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A layer above the page: receives taps, marks the selection and the drop position. */
function Glass({ screen }: { readonly screen: React.RefObject<HTMLDivElement | null> }) {
  const bench = useBench()
  const { document, selected } = useEditing()
  const { drawn } = useCanvas()
  const [hovered, setHovered] = useState<string | null>(null)
  const placing = usePlacing('canvas')
  const titleFor = useTitles()
  const also = useBenchState((state) => state.also)
  const selection = useMemo(() => (selected === null ? [] : [selected, ...also]), [selected, also])
  const isChosen = hovered === null || selection.includes(hovered)
  const chosen = useBoxes(screen, selection)
  const pointed = useBoxes(
    screen,
    useMemo(() => (isChosen || hovered === null ? [] : [hovered]), [isChosen, hovered]),
  )
  const keyAt = useCallback(
    (x: number, y: number): { readonly key: string; readonly box: DOMRect } | null => {
      if (drawn?.engine == null || screen.current === null) return null
      const element = deepestAt(screen.current, x, y)
      const node = element && drawn.engine.page.nodes.get(nodeKeyOf(element))
      const key = node && drawn.resolved.keyAt(node.pointer)
      return key && element
        ? { key, box: boxOf(screen.current, drawn, key) ?? element.getBoundingClientRect() }
        : null
    },
    [drawn, screen],
  )
  const title = (key: string | null): string => {
    const item = key === null ? undefined : itemsOf(document).get(key)
    return item === undefined ? '' : titleFor(item)
  }
  const zone = useDropZone('canvas', {
    view: () => screen.current,
    spotAt({ x, y }) {
      const found = keyAt(x, y)
      return dropSpot(document, found?.key ?? null, found?.box ?? null, y)
    },
  })
  const grip = useDragHandle('canvas', (_, { x, y }) => {
    const key = keyAt(x, y)?.key
    if (key === undefined) return null
    return dragPayload(bench, key, title(key))
  })
  const hold = useRefs(zone, grip.ref)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the tree beside it is the way for keys
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div
      className="wb-glass"
      onPointerMove={(event: PointerEvent) => setHovered(keyAt(event.clientX, event.clientY)?.key ?? null)}
      onPointerLeave={() => setHovered(null)}
      onClick={(event) => {
        const key = keyAt(event.clientX, event.clientY)?.key ?? null
        if (key !== null && (event.ctrlKey || event.metaKey || event.shiftKey)) bench.pick(key)
        else bench.select(key)
      }}
      {...grip}
      ref={hold}
    >
      {pointed.map((box) => (
        <div key={`${box.left} ${box.top}`} className="wb-outline wb-outline-hover" style={box} />
      ))}
      {chosen.map((box, i) => (
        <div key={`${box.left} ${box.top}`} className="wb-outline" style={box}>
          {i === 0 && <span className="wb-outline-name">{title(selected)}</span>}
        </div>
      ))}
      {placing && <PlacingLine placing={placing} screen={screen} />}
    </div>
  )
}

function PlacingLine({
  placing,
  screen,
}: {
  readonly placing: Placing
  readonly screen: React.RefObject<HTMLDivElement | null>
}) {
  const [box] = useBoxes(
    screen,
    useMemo(() => [placing.at], [placing.at]),
  )
  if (box === undefined) return null
  const top = placing.side === 'before' ? box.top : box.top + box.height
  const style =
    placing.side === 'inside' ? box : { left: box.left, width: box.width, top: top - 1, height: 3 }
  return <div className={placing.side === 'inside' ? 'wb-into' : 'wb-line'} style={style} />
}

/** The boxes of an item's elements inside the screen, updated while shown, because the page may move by itself. */
function useBoxes(screen: React.RefObject<HTMLDivElement | null>, keys: readonly string[]): readonly Box[] {
  const { drawn } = useCanvas()
  const [boxes, setBoxes] = useState<readonly Box[]>([])
  useLayoutEffect(() => {
    if (keys.length === 0 || drawn === null) return setBoxes(NONE)
    const look = () => {
      const { current } = screen
      const found = current === null ? [] : keys.flatMap((key) => boxesOf(current, drawn, key))
      setBoxes((known) => (JSON.stringify(known) === JSON.stringify(found) ? known : found))
    }
    look()
    const timer = setInterval(look, POLL_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [screen, keys, drawn])
  return boxes
}

const NONE: readonly Box[] = []

const POLL_INTERVAL_MS = 150

function boxesOf(
  screen: HTMLElement,
  drawn: NonNullable<ReturnType<typeof useCanvas>['drawn']>,
  key: string,
): Box[] {
  const origin = screen.getBoundingClientRect()
  const zoom = origin.width / (screen.offsetWidth || 1)
  return elementsOf(screen, drawn, key).map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return {
      left: Math.round((left - origin.left) / zoom + screen.scrollLeft),
      top: Math.round((top - origin.top) / zoom + screen.scrollTop),
      width: Math.round(width / zoom),
      height: Math.round(height / zoom),
    }
  })
}

const boxOf = (
  screen: HTMLElement,
  drawn: NonNullable<ReturnType<typeof useCanvas>['drawn']>,
  key: string,
): DOMRect | undefined => elementsOf(screen, drawn, key)[0]?.getBoundingClientRect()

function elementsOf(
  screen: HTMLElement,
  drawn: NonNullable<ReturnType<typeof useCanvas>['drawn']>,
  key: string,
): HTMLElement[] {
  const places = nodesOf(drawn, key).map((node) => {
    const name = CSS.escape(node.key)
    return `[data-key="${name}"], [data-key^="${name}@row"]`
  })
  if (places.length === 0) return []
  return [...screen.querySelectorAll<HTMLElement>(places.join(', '))].filter(
    (element) => element.getClientRects().length > 0,
  )
}

/** A row of a sub-form or a list draws the nodes of its template. */
export const nodeKeyOf = (element: HTMLElement): string => (element.dataset.key ?? '').replace(/@row.*$/, '')

/** The innermost widget at a point; fixed widgets take precedence. */
function deepestAt(screen: HTMLElement, x: number, y: number): HTMLElement | null {
  const elements = [...screen.querySelectorAll<HTMLElement>('[data-key]')].filter((element) => {
    const box = element.getBoundingClientRect()
    return box.width > 0 && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
  })
  const pinned = elements.filter((element) => element.closest('.vf-w-action-bar, .vf-w-fab') !== null)
  return (pinned.length > 0 ? pinned : elements).at(-1) ?? null
}
