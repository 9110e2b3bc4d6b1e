import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { itemsOf } from '../../runtime/core/edit/entries.ts'
import type { Problem } from '../../runtime/core/errors.ts'
import { writtenTitle } from '../../runtime/core/page/page-title.ts'
import { MoreGlyph } from '../../runtime/react/kit/more-glyphs.tsx'
import { fetchPart } from '../../runtime/react/page/fetch-part.ts'
import { Back } from './back.tsx'
import { CanvasView } from './canvas/canvas.tsx'
import { useLook } from './canvas/look.ts'
import { LookBar } from './canvas/look-bar.tsx'
import { CanvasContext, useDrawn } from './canvas/use-drawn.ts'
import { useErrorText } from './canvas/use-error-text.ts'
import { t, useBench, useBenchState, useEditing } from './context.ts'
import { Dragging } from './dragging.tsx'
import { ConflictDialog } from './panels/conflict.tsx'
import { Here, OthersButton } from './panels/others.tsx'
import { Palette } from './panels/palette.tsx'
import { Checks } from './panels/problems.tsx'
import { Properties } from './panels/properties.tsx'
import { PublishDialog } from './panels/publish.tsx'
import { Runs } from './panels/runs.tsx'
import { Sources } from './panels/sources.tsx'
import { useTitles } from './panels/titles.ts'
import { Tree } from './panels/tree.tsx'
import { TypedAway } from './panels/typed-away.tsx'
import { UpgradeButton } from './panels/upgrade.tsx'
import { Versions } from './panels/versions.tsx'
import { useDiscard } from './use-discard.ts'
import { useKeys } from './use-keys.ts'
import { versionName } from './version-name.ts'

const CodePane = lazy(() => fetchPart(() => import('./code/code-pane.tsx')))

const WIDTHS = [360, 390, 430, 768, 1280] as const
type LeftPane = 'palette' | 'tree' | 'sources'
type RightPane = 'props' | 'checks' | 'runs' | 'versions'
/** On a phone, one pane fills the screen. */
type PhonePane = 'canvas' | 'tree' | 'palette' | 'props' | 'code' | 'checks' | 'runs' | 'versions'

/** The workbench with a page, or the reason why there is none. */
export function Workbench() {
  const bench = useBench()
  const failure = useBenchState((state) => state.failure)
  const isOpen = useBenchState((state) => state.editing !== null)
  useKeys(bench)
  useLooking()
  return (
    <div className="wb">
      {isOpen ? (
        <Work />
      ) : (
        <div className="wb-waiting" role="status">
          {failure === '' ? t('workbench.loading') : failure}
          {failure !== '' && <Back />}
        </div>
      )}
    </div>
  )
}

const POLL_INTERVAL_MS = 30_000

/** Whether the draft was changed elsewhere is checked when somebody returns to it, and periodically. */
function useLooking(): void {
  const bench = useBench()
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void bench.look()
    }
    const timer = setInterval(look, POLL_INTERVAL_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [bench])
}

function Work() {
  const { calls } = useBench()
  const { document } = useEditing()
  const expansions = useBenchState((state) => state.expansions)
  const look = useLook(document, calls)
  const canvas = useDrawn({ document, expansions }, look)
  const [left, setLeft] = useState<LeftPane>('palette')
  const [right, setRight] = useState<RightPane>('props')
  const [shown, setShown] = useState<PhonePane>('canvas')
  const [isCode, setCode] = useState(false)
  const [designs, setDesigns] = useState(true)
  const [width, setWidth] = useState<number>(390)
  const [isPublishing, setPublishing] = useState(false)
  const code = useBenchState((state) => state.code)
  useEffect(() => {
    if (code === null) return
    setRight('props')
    setShown('props')
  }, [code])
  const scale = width > 430 ? 0.6 : 1
  return (
    <CanvasContext.Provider value={canvas}>
      <TopBar
        onPublish={() => setPublishing(true)}
        onChecks={() => {
          setRight('checks')
          setShown('checks')
        }}
      />
      <Dragging>
        <div className="wb-panes" data-shown={shown} data-code={isCode}>
          <aside className="wb-left" aria-label={t(`workbench.pane.${left}`)}>
            <Tabs
              list={['palette', 'tree', 'sources']}
              now={left}
              onChange={setLeft}
              label={t('workbench.pane.left')}
            />
            <div className="wb-pane">
              {left === 'palette' ? <Palette /> : left === 'tree' ? <Tree /> : <Sources />}
            </div>
          </aside>
          <section className="wb-middle" aria-label={t('workbench.pane.canvas')}>
            <div className="wb-tools">
              <Choice
                kind="mode"
                label={t('workbench.mode')}
                list={[
                  { value: 'design', words: t('workbench.mode.design') },
                  { value: 'try', words: t('workbench.mode.try') },
                  { value: 'code', words: t('workbench.mode.code') },
                ]}
                now={isCode ? 'code' : designs ? 'design' : 'try'}
                onChange={(mode) => {
                  setCode(mode === 'code')
                  if (mode !== 'code') setDesigns(mode === 'design')
                }}
              />
              <Choice
                kind="width"
                label={t('workbench.width')}
                list={WIDTHS.map((one) => ({ value: String(one), words: String(one) }))}
                now={String(width)}
                onChange={(next) => setWidth(Number(next))}
              />
              <LookBar look={look} />
            </div>
            <Broken problems={canvas.broken} />
            {!isCode && <TypedAway />}
            {isCode || shown === 'code' ? (
              <Suspense fallback={<p className="wb-quiet wb-pad">{t('workbench.loading')}</p>}>
                <CodePane />
              </Suspense>
            ) : (
              <div className="wb-stage">
                <CanvasView width={width} designs={designs} scale={scale} textSize={look.textSize} />
              </div>
            )}
          </section>
          <aside className="wb-right" aria-label={t(`workbench.pane.${right}`)}>
            <Tabs
              list={['props', 'checks', 'runs', 'versions']}
              now={right}
              onChange={setRight}
              label={t('workbench.pane.right')}
            />
            <div className="wb-pane">
              {right === 'props' && <Properties />}
              {right === 'checks' && <Checks />}
              {right === 'runs' && <Runs />}
              {right === 'versions' && <Versions />}
            </div>
          </aside>
        </div>
      </Dragging>
      <nav className="wb-foot" aria-label={t('workbench.panes')}>
        {(['canvas', 'tree', 'palette', 'props', 'code', 'checks', 'runs', 'versions'] as const).map(
          (pane) => (
            <button
              key={pane}
              type="button"
              aria-current={shown === pane ? 'page' : undefined}
              onClick={() => {
                setShown(pane)
                if (pane === 'tree' || pane === 'palette') setLeft(pane)
                if (pane === 'props' || pane === 'checks' || pane === 'runs' || pane === 'versions')
                  setRight(pane)
                setCode(pane === 'code')
              }}
            >
              {t(`workbench.pane.${pane}`)}
            </button>
          ),
        )}
      </nav>
      <Selected />
      {isPublishing && <PublishDialog onClose={() => setPublishing(false)} />}
      <ConflictDialog />
    </CanvasContext.Provider>
  )
}

/** Announces to screen readers what is selected: after inserting, moving or navigating. */
function Selected() {
  const { document, selected } = useEditing()
  const title = useTitles()
  const item = selected === null ? undefined : itemsOf(document).get(selected)
  return (
    <p className="wb-said" role="status">
      {item === undefined ? '' : t('workbench.said', { name: title(item) })}
    </p>
  )
}

interface TopProps {
  readonly onPublish: () => void
  readonly onChecks: () => void
}

function TopBar({ onPublish, onChecks }: TopProps) {
  const bench = useBench()
  const { document, done, undone, text } = useEditing()
  const path = useBenchState((state) => state.path)
  const base = useBenchState((state) => state.base)
  const baseText = useBenchState((state) => state.baseText)
  const faults = useBenchState((state) => state.problems.length)
  const isRestored = useBenchState((state) => state.isRestored)
  const keeping = useBenchState((state) => state.keeping)
  const discard = useDiscard()
  const isChanged = text !== baseText
  const title = writtenTitle(document)
  return (
    <header className="wb-top">
      <Back />
      <div className="wb-title">
        <h1>{plainTitle(title)}</h1>
        <p>
          <code>{path}</code>
          <span className={isChanged ? 'wb-state wb-state-draft' : 'wb-state'} role="status">
            {isChanged
              ? `${t(isRestored ? 'workbench.state.restored' : 'workbench.state.draft')} · ${t(`workbench.keeping.${keeping}`)}`
              : versionName(base, path)}
          </span>
        </p>
      </div>
      <div className="wb-top-acts">
        <button
          type="button"
          className="wb-icon wb-undo"
          disabled={done.length === 0}
          aria-label={t('workbench.undo')}
          title={t('workbench.undo')}
          onClick={() => bench.undo()}
        >
          <MoreGlyph name="retry" size={18} />
        </button>
        <button
          type="button"
          className="wb-icon"
          disabled={undone.length === 0}
          aria-label={t('workbench.redo')}
          title={t('workbench.redo')}
          onClick={() => bench.redo()}
        >
          <MoreGlyph name="retry" size={18} />
        </button>
        <button
          type="button"
          className="wb-button wb-discard"
          disabled={!isChanged}
          onClick={() => void discard()}
        >
          {t('workbench.discard')}
        </button>
        <UpgradeButton />
        <Here />
        <OthersButton />
        {faults > 0 && (
          <button type="button" className="wb-button wb-faults" onClick={onChecks}>
            {t('workbench.faults', { n: faults })}
          </button>
        )}
        <button type="button" className="wb-button wb-primary" disabled={!isChanged} onClick={onPublish}>
          {t('workbench.publish')}
        </button>
      </div>
    </header>
  )
}

/** A title whose placeholders are filled elsewhere is shown by their fallbacks. */
function plainTitle(title: string): string {
  return title.replace(
    /\{\{[^}]*?(?:default:([^}|]*))?\}\}/g,
    (_, otherwise?: string) => otherwise?.trim() ?? '…',
  )
}

function Broken({ problems: [first] }: { readonly problems: readonly Problem[] }) {
  const message = useErrorText(first)
  if (first === undefined) return null
  return (
    <p className="wb-broken" role="alert">
      {t('workbench.canvas.broken', { at: first.at, message })}
    </p>
  )
}

interface TabsProps<T extends string> {
  readonly list: readonly T[]
  readonly now: T
  readonly label: string
  readonly onChange: (next: T) => void
}

function Tabs<T extends string>({ list, now, label, onChange }: TabsProps<T>) {
  return (
    <div className="wb-tabs" role="tablist" aria-label={label}>
      {list.map((one) => (
        <button key={one} type="button" role="tab" aria-selected={one === now} onClick={() => onChange(one)}>
          {t(`workbench.pane.${one}`)}
        </button>
      ))}
    </div>
  )
}

interface ChoiceProps {
  readonly kind: 'mode' | 'width'
  readonly label: string
  readonly list: readonly { readonly value: string; readonly words: string }[]
  readonly now: string
  readonly onChange: (next: string) => void
}

function Choice({ kind, label, list, now, onChange }: ChoiceProps): ReactNode {
  return (
    <fieldset className={`wb-choice wb-choice-${kind}`} aria-label={label}>
      {list.map(({ value, words }) => (
        <button key={value} type="button" aria-pressed={value === now} onClick={() => onChange(value)}>
          {words}
        </button>
      ))}
    </fieldset>
  )
}
