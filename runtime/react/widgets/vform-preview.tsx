import { useEffect, useMemo, useState } from 'react'
import type { Engine } from '../../core/engine.ts'
import { formatPhrase, type Problem } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Author } from '../../core/ports.ts'
import { textOf } from '../page/options.ts'
import { usePage, useText } from '../page/page-context.ts'
import { openPreview, type PreviewSession } from '../page/preview-session.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

/** Minimum interval between two reports, in milliseconds. */
const PAUSE_MS = 120

export function View({ state }: ViewProps) {
  const { engine, Page } = usePage()
  const t = useText()
  const { document, values, report } = state.options
  const given = isEmpty(document) ? state.value : (document ?? null)
  const session = usePreview(engine, given, isObject(values) ? values : null)
  const author = useAuthor()
  const problems = useMemo(
    () => (session === null ? NONE : (author?.check(given) ?? session.problems)),
    [session, author, given],
  )
  useReport(engine, session, { name: textOf(report), problems: problems.length })
  return (
    <section className="vf-preview" aria-label={state.label || state.node.name}>
      {state.label === '' ? null : <h3>{state.label}</h3>}
      {session === null ? <p className="vf-preview-empty">{textOf(state.options.empty)}</p> : null}
      {problems.length === 0 ? null : <Problems list={problems} words={author?.words} />}
      {session?.engine ? (
        <>
          <Page engine={session.engine} />
          {state.options.tools === false ? null : <Tools session={session} engine={session.engine} />}
        </>
      ) : null}
      {session !== null && session.engine === null ? (
        <p className="vf-preview-empty">{t('preview.broken')}</p>
      ) : null}
    </section>
  )
}

const NONE: readonly Problem[] = []

const isEmpty = (document: Json | undefined): boolean =>
  document === null || document === undefined || document === ''

function usePreview(outer: Engine, document: Json, values: JsonObject | null): PreviewSession | null {
  const [session, setSession] = useState<PreviewSession | null>(null)
  useEffect(() => {
    if (isEmpty(document)) return setSession(null)
    const opened = openPreview(outer, document, values ?? {})
    setSession(opened)
    return opened.dispose
  }, [outer, document, values])
  return session
}

/** Writes into `data.<name>` of the surrounding page. */
function useReport(
  outer: Engine,
  session: PreviewSession | null,
  { name, problems }: { readonly name: string; readonly problems: number },
): void {
  useEffect(() => {
    if (name === '') return
    let cancel: (() => void) | null = null
    const send = () => {
      cancel = null
      outer.setData(name, reportOf(session, problems))
    }
    send()
    const end = session?.subscribe(() => {
      cancel ??= outer.ports.clock.after(PAUSE_MS, send)
    })
    return () => {
      cancel?.()
      end?.()
    }
  }, [outer, session, name, problems])
}

function reportOf(session: PreviewSession | null, problems: number): JsonObject {
  const engine = session?.engine
  return {
    valid: engine != null,
    widgets: engine?.page.nodes.size ?? 0,
    problems,
    values: engine ? JSON.stringify(engine.values(), null, 2) : '',
    events: session?.events().join('\n') ?? '',
  }
}

/** Faults as authors see them everywhere in the product: code, position, message, hint. */
function Problems({
  list,
  words,
}: {
  readonly list: readonly Problem[]
  readonly words: Author['words'] | undefined
}) {
  return (
    <ul className="vf-preview-problems">
      {list.map(({ code, at, severity, said }) => (
        <li key={`${code} ${at} ${formatPhrase(said.message)}`} className={`vf-preview-${severity}`}>
          <code>{`${code} ${at || '/'}`}</code>
          <p>{formatPhrase(said.message, words)}</p>
          {said.hint.words === '' ? null : <small>{formatPhrase(said.hint, words)}</small>}
        </li>
      ))}
    </ul>
  )
}

/** The messages for authors, once loaded. */
function useAuthor(): Author | undefined {
  const { author } = usePage().engine.ports
  const [loaded, setLoaded] = useState<Author>()
  useEffect(() => {
    author?.().then(setLoaded, () => undefined)
  }, [author])
  return loaded
}

function Tools({ session, engine }: { readonly session: PreviewSession; readonly engine: Engine }) {
  const t = useText()
  const [reading, setReading] = useState(false)
  const validate = async () => {
    const faults = await engine.validate()
    session.note(
      'validate',
      faults.map(({ address, message }) => `${address}: ${message}`),
    )
    const [first] = faults
    if (first !== undefined) await engine.reveal(first.address)
    else engine.ports.feedback.toast({ text: t('preview.valid'), icon: 'success' })
  }
  return (
    <div className="vf-preview-tools">
      <button type="button" onClick={() => void validate()}>
        {t('preview.validate')}
      </button>
      <button
        type="button"
        onClick={() => {
          session.note('reset', null)
          engine.reset()
        }}
      >
        {t('preview.reset')}
      </button>
      <button
        type="button"
        aria-pressed={reading}
        onClick={() => {
          session.note('readMode', !reading)
          engine.setReadMode(!reading)
          setReading(!reading)
        }}
      >
        {t('preview.read')}
      </button>
    </div>
  )
}
