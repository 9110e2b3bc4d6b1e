import { type ReactNode, useMemo, useState } from 'react'
import type { Json } from '../../../runtime/core/json.ts'
import { Back } from '../back.tsx'
import type { Calls, Sides } from '../calls.ts'
import { CanvasView } from '../canvas/canvas.tsx'
import { type Look, useLook } from '../canvas/look.ts'
import { LookBar } from '../canvas/look-bar.tsx'
import { referenceKey, resolvePage } from '../canvas/resolve-page.ts'
import { CanvasContext, useDrawn } from '../canvas/use-drawn.ts'
import { useErrorText } from '../canvas/use-error-text.ts'
import { t } from '../context.ts'

const SIDES = ['before', 'after'] as const
/** The sides between which a phone switches. */
const PARTS = [...SIDES, 'changes'] as const
const PHONE_PX = 390

interface Props {
  readonly sides: Sides
  readonly path: string
  readonly calls: Calls
}

/** A page of a change set before and after. */
export function SidesView({ sides, path, calls }: Props) {
  const look = useLook(sides.after, calls)
  const words = {
    before: t(sides.isDone ? 'workbench.sides.was' : 'workbench.sides.before'),
    after: t('workbench.sides.after'),
  }
  const changes = (
    <ul>
      {sides.changes.map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  )
  return (
    <>
      <header className="wb-top">
        <Back />
        <div className="wb-title">
          <h1>{sides.title}</h1>
          <p>
            <code>{path}</code>
          </p>
        </div>
        <LookBar look={look} />
      </header>
      <Both sides={sides} words={words} look={look} changes={changes} />
    </>
  )
}

interface BothProps {
  /** As served, without references; null if there is no page. */
  readonly sides: { readonly before: Json; readonly after: Json }
  readonly words: Readonly<Record<(typeof SIDES)[number], string>>
  readonly look: Look
  readonly changes: ReactNode
}

/** Both sides with the same record and viewer; one at a time if there is no room for two. */
export function Both({ sides, words, look, changes }: BothProps) {
  const [shown, setShown] = useState<(typeof PARTS)[number]>('after')
  const labels = { ...words, changes: t('workbench.sides.changes') }
  return (
    <>
      <fieldset className="wb-choice wb-side-choice" aria-label={t('workbench.sides.which')}>
        {PARTS.map((part) => (
          <button key={part} type="button" aria-pressed={part === shown} onClick={() => setShown(part)}>
            {labels[part]}
          </button>
        ))}
      </fieldset>
      <div className="wb-both" data-shown={shown}>
        {SIDES.map((side) => (
          <section key={side} className="wb-side" data-side={side} aria-label={labels[side]}>
            <h2>{labels[side]}</h2>
            {sides[side] === null ? (
              <p className="wb-quiet">{t('workbench.sides.none')}</p>
            ) : (
              <Side document={sides[side]} look={look} />
            )}
          </section>
        ))}
        <aside className="wb-side-changes" aria-label={labels.changes}>
          <h2>{labels.changes}</h2>
          {changes}
        </aside>
      </div>
    </>
  )
}

/** One side, usable: taps reach it, but nothing affects the outside world. */
function Side({ document, look }: { readonly document: Json; readonly look: Look }) {
  const expansions = useMemo(() => {
    const { missing } = resolvePage(document, new Map())
    return new Map(missing.map((one) => [referenceKey(one), NOTHING]))
  }, [document])
  const canvas = useDrawn({ document, expansions }, look)
  const [broken] = canvas.broken
  const message = useErrorText(broken)
  return (
    <CanvasContext.Provider value={canvas}>
      {broken && (
        <p className="wb-broken" role="alert">
          {t('workbench.sides.broken', { message })}
        </p>
      )}
      <CanvasView width={Math.min(PHONE_PX, innerWidth)} designs={false} scale={1} textSize={look.textSize} />
    </CanvasContext.Provider>
  )
}

/** The server has already replaced everything. */
const NOTHING = { items: [], sources: [] } as const
