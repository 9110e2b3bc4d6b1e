import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Engine } from '../../../runtime/core/engine.ts'
import type { NodeKey, PageNode } from '../../../runtime/core/page/page.ts'
import { saveFile } from '../../../runtime/react/kit/save-file.ts'
import type { PageFacts } from '../calls.ts'
import type { Run } from '../canvas/watch-script.ts'
import { t } from '../context.ts'
import { createCalls } from '../create-calls.ts'
import { Dialog } from '../panels/dialog.tsx'
import { RunRow } from '../panels/runs.tsx'
import { kindName } from '../panels/tree.tsx'
import { Why } from '../panels/why.tsx'
import {
  type AskHost,
  above,
  caseOfPage,
  type ExplainedPlace,
  nodeAt,
  runsAt,
  runsOf,
  unseenIn,
} from './asking.ts'

interface Props {
  readonly explained: ExplainedPlace
  readonly host: AskHost
  readonly onClose: () => void
}

/** Explains a place of a running page: what it is, and why it is in this state. */
export function AskView({ explained, host, onClose }: Props) {
  const { engine, path } = explained
  const [at, setAt] = useState<NodeKey | null>(explained.at)
  const node = at === null ? undefined : nodeAt(engine, at)
  const runs = useRuns(engine)
  const design = () => {
    onClose()
    host.open(`/pages/admin/page/design?path=${encodeURIComponent(path)}`)
  }
  return (
    <div className="wb wb-ask">
      <Dialog
        title={node === undefined ? t('workbench.ask.page') : t('workbench.ask.of', { name: titleOf(node) })}
        onClose={onClose}
        foot={
          <>
            <SaveCase explained={explained} />
            <button type="button" className="wb-button wb-primary" onClick={design}>
              {t('workbench.ask.design')}
            </button>
          </>
        }
      >
        <Way engine={engine} at={at} onGo={setAt} />
        <Facts explained={explained} node={node} />
        {node !== undefined && (
          <Why
            key={at}
            engine={engine}
            node={node}
            at={node.template === null ? (at ?? node.key) : node.key}
            runs={runs}
          />
        )}
        <Unseen engine={engine} at={at} onGo={setAt} />
        <Turns engine={engine} node={node} runs={runs} onGo={setAt} />
      </Dialog>
    </div>
  )
}

/** The page visit so far as a file: it can be replayed at the workbench and as a test. */
function SaveCase({ explained }: { readonly explained: ExplainedPlace }) {
  const [isTooLong, setTooLong] = useState(false)
  const save = () => {
    const found = caseOfPage(explained)
    setTooLong(found === null)
    if (found === null) return
    const name = `${explained.path.split('/').slice(2).join('-')}.case.json`
    saveFile(new Blob([`${JSON.stringify(found)}\n`]), name)
  }
  return (
    <>
      {isTooLong && (
        <p className="wb-error" role="alert">
          {t('workbench.case.tooLong')}
        </p>
      )}
      <button type="button" className="wb-button" onClick={save}>
        {t('workbench.case.save')}
      </button>
    </>
  )
}

function useRuns(engine: Engine) {
  const log = runsOf(engine)
  return useSyncExternalStore(log.subscribe, log.get)
}

const titleOf = (node: PageNode): string => {
  const label = node.option('label')
  return typeof label === 'string' && label !== ''
    ? label
    : node.name === ''
      ? kindName({ written: node.widget })
      : node.name
}

interface GoProps {
  readonly engine: Engine
  readonly at: NodeKey | null
  readonly onGo: (at: NodeKey | null) => void
}

/** The containers around the place, each of which can be selected as well. */
function Way({ engine, at, onGo }: GoProps) {
  if (at === null) return null
  return (
    <nav className="wb-ask-way" aria-label={t('workbench.ask.way')}>
      <button type="button" className="wb-act" onClick={() => onGo(null)}>
        {t('workbench.tree.page')}
      </button>
      {above(engine, at).map((node) => (
        <button key={node.key} type="button" className="wb-act" onClick={() => onGo(node.key)}>
          {titleOf(node)}
        </button>
      ))}
    </nav>
  )
}

/** Widget, version and page. */
function Facts({
  explained,
  node,
}: {
  readonly explained: ExplainedPlace
  readonly node: PageNode | undefined
}) {
  const { path, engine } = explained
  const [facts, setFacts] = useState<PageFacts | null>(null)
  const calls = useMemo(() => createCalls(engine.ports), [engine])
  useEffect(() => {
    let isOver = false
    void calls.facts(path).then((answer) => {
      if (answer.ok && !isOver) setFacts(answer.value)
    })
    return () => {
      isOver = true
    }
  }, [calls, path])
  const version =
    facts === null
      ? ''
      : facts.revision === 0
        ? facts.source
        : t('workbench.ask.version', { n: facts.revision, author: facts.author, at: facts.at })
  return (
    <dl className="wb-ask-facts">
      {node !== undefined && (
        <>
          <Fact name={t('workbench.ask.widget')}>
            {kindName({ written: node.widget })} <code>{node.name}</code>
          </Fact>
          <Fact name={t('workbench.ask.place')}>
            <code>{node.pointer}</code>
          </Fact>
        </>
      )}
      <Fact name={t('workbench.ask.path')}>
        <code>{path}</code>
      </Fact>
      <Fact name={t('workbench.pane.versions')}>{version}</Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Widgets that nobody can press, because they are hidden. */
function Unseen({ engine, at, onGo }: GoProps) {
  const hidden = unseenIn(engine, at)
  if (hidden.length === 0) return null
  return (
    <section className="wb-ask-unseen">
      <h3>{t('workbench.ask.unseen')}</h3>
      {hidden.map((node) => (
        <button key={node.key} type="button" className="wb-act" onClick={() => onGo(node.key)}>
          {titleOf(node)}
        </button>
      ))}
    </section>
  )
}

const SHOWN = 5

/** The last script runs that concern the place; for the page, all. */
function Turns({
  engine,
  node,
  runs,
  onGo,
}: {
  readonly engine: Engine
  readonly runs: readonly Run[]
  readonly node: PageNode | undefined
  readonly onGo: (at: NodeKey | null) => void
}) {
  const [isAll, setAll] = useState(false)
  const shownRuns = node === undefined || isAll ? runs : runsAt(runs, node)
  if (!engine.page.hasCode) return null
  return (
    <section className="wb-ask-runs">
      <h3>{t('workbench.ask.runs')}</h3>
      {shownRuns.length === 0 && <p className="wb-quiet">{t('workbench.ask.noRuns')}</p>}
      <ol className="wb-run-list">
        {shownRuns.slice(0, isAll ? shownRuns.length : SHOWN).map((run) => (
          <RunRow key={run.id} run={run} engine={engine} onOpen={(one) => onGo(one?.key ?? null)} />
        ))}
      </ol>
      {!isAll && runs.length > Math.min(shownRuns.length, SHOWN) && (
        <button type="button" className="wb-act" onClick={() => setAll(true)}>
          {t('workbench.ask.allRuns', { n: runs.length })}
        </button>
      )}
    </section>
  )
}
