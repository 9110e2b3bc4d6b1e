import type { Engine } from '../../../runtime/core/engine.ts'
import type { NodeKey, PageNode } from '../../../runtime/core/page/page.ts'
import type { Ports, Script } from '../../../runtime/core/ports.ts'
import { parseCell, splitRowKey } from '../../../runtime/core/state/cells.ts'
import { type Run, watchScript } from '../canvas/watch-script.ts'
import type { CaseFile } from '../cases/case.ts'
import { createRecorder, type Opening, type Recorder } from '../cases/recorder.ts'

/** An open page that can be explained. */
export interface AskedPage {
  /** Path of the document. */
  readonly path: string
  readonly engine: Engine
}

/** The app's functions for explaining pages. */
export interface AskHost {
  /** The signed-in user may change forms. */
  readonly isAuthor: () => boolean
  /** The visible page at an address; the top one if none is given. */
  readonly pageAt: (address: string | undefined) => AskedPage | null
  readonly open: (url: string) => void
}

/** A place that is explained. */
export interface ExplainedPlace extends AskedPage {
  /** The place as drawn, with its row; null: the page itself. */
  readonly at: NodeKey | null
}

/** Script runs of a page, newest first. */
export interface RunLog {
  readonly get: () => readonly Run[]
  readonly subscribe: (listener: () => void) => () => void
}

const NONE: readonly Run[] = []
const logs = new WeakMap<Script, RunLog>()

/** Records the script runs of one page. */
export function remembered(script: Script, clock: Engine['ports']['clock']): Script {
  let runs = NONE
  const listeners = new Set<() => void>()
  const watched = watchScript(script, clock, (next) => {
    runs = next
    for (const listener of listeners) listener()
  })
  logs.set(watched.script, {
    get: () => runs,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  })
  return watched.script
}

const recorders = new WeakMap<Script, Recorder>()

/** Opens a page and records its visit from the beginning. */
export function openRemembered(ports: Ports, opening: Opening, make: (ports: Ports) => Engine): Engine {
  const script = remembered(ports.script, ports.clock)
  const recorder = createRecorder({ ...ports, script }, opening)
  recorders.set(script, recorder)
  return recorder.record(make(recorder.ports))
}

/** The page visit so far as a case; null if it was not recorded, or has become too long. */
export const caseOfPage = ({ path, engine }: AskedPage): CaseFile | null =>
  recorders.get(engine.ports.script)?.save(path) ?? null

/** What a page's code has done since it was opened. */
export const runsOf = ({ ports }: Engine): RunLog =>
  logs.get(ports.script) ?? { get: () => NONE, subscribe: () => () => {} }

/** The widget that stands at a place. */
export const nodeAt = ({ page }: Engine, at: NodeKey): PageNode | undefined =>
  page.nodes.get(at) ?? page.nodes.get(splitRowKey(at).base)

/** The containers around a place, outermost first. */
export function above(engine: Engine, at: NodeKey): readonly PageNode[] {
  const found: PageNode[] = []
  for (let parent = nodeAt(engine, at)?.parent ?? null; parent !== null; ) {
    const node = engine.page.nodes.get(parent)
    if (node === undefined) break
    found.unshift(node)
    parent = node.parent
  }
  return found
}

/** The hidden content of a container (null: of the page). */
export function unseenIn(engine: Engine, at: NodeKey | null): readonly PageNode[] {
  const keys = at === null ? engine.page.roots : (nodeAt(engine, at)?.children ?? [])
  return keys.flatMap((key) => {
    const node = engine.page.nodes.get(key)
    if (node === undefined || node.template !== null || node.subForm !== null) return []
    return engine.hidden(key) ? [node] : []
  })
}

/** Script runs that began at a widget or wrote to it. */
export function runsAt(runs: readonly Run[], node: PageNode): readonly Run[] {
  const isHis = (key: string): boolean => splitRowKey(key).base === node.key
  const isWritten = (written: string): boolean => {
    const cell = parseCell(written)
    if (cell?.kind === 'value') return node.field && splitRowKey(cell.key).base === node.name
    return cell !== undefined && 'key' in cell && isHis(cell.key)
  }
  return runs.filter(
    ({ hooks, writes }) => hooks.some(({ key }) => isHis(key)) || writes.some(({ cell }) => isWritten(cell)),
  )
}
