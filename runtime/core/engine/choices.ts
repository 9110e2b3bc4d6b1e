import { isObject, type Json, type JsonObject, valueAt } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey, PageNode } from '../page/page.ts'
import type { Outcome, Write } from '../ports.ts'
import { optionCell } from '../state/cells.ts'
import type { ScriptLink } from './script-link.ts'
import type { Sources } from './sources.ts'

interface Parts {
  readonly model: Model
  readonly link: ScriptLink
  readonly request: Sources['request']
  readonly isHeld: Sources['isHeld']
}

/** The choices of fields that name a data source (`dsEnabled`, `dsName`, `dataSetName`; HOOKS 5). */
export interface Choices {
  /**
   * When the page opens: loads every visible field; those in a closed layer (sheet, popup) when it first opens; those of a source that may not load
   * yet (`auto`) with its first answer.
   */
  open(): Promise<void>
  /** Reloads all fields, or those with the given names. */
  reload(names?: readonly string[]): Promise<void>
  /** The answer of an automatic source becomes the options of the fields that name it. */
  follow(source: string, answer: Json): readonly Write[]
}

export function createChoices({ model, link, request, isHeld }: Parts): Choices {
  const { page } = model
  const fieldsOf = (names?: readonly string[]): readonly PageNode[] =>
    [...page.nodes.values()].filter(
      (node) =>
        node.options.dsEnabled === true &&
        page.dataSources.has(String(node.options.dsName)) &&
        (names === undefined || names.includes(node.name)),
    )

  async function load(fields: readonly PageNode[]): Promise<void> {
    const shared = new Map<string, Promise<Outcome<Json>>>()
    await Promise.all(
      fields.map(async (node) => {
        const name = String(node.options.dsName)
        const set = setOf(node.options)
        const asking =
          set === null
            ? request(name, { widgetName: node.name, ...pageSizeOf(node.options) }, ASKED)
            : (shared.get(name) ?? request(name, undefined, ASKED))
        if (set !== null) shared.set(name, asking)
        link.commit([{ cell: optionCell(node.key, 'itemsState'), value: 'loading' }])
        const answer = await asking
        link.commit([
          { cell: optionCell(node.key, 'loadedItems'), value: answer.ok ? itemsOf(answer.value, set) : [] },
          { cell: optionCell(node.key, 'itemsState'), value: answer.ok ? 'ready' : 'failed' },
          { cell: optionCell(node.key, 'itemsError'), value: wordsOf(answer) },
        ])
      }),
    )
  }

  /** The nearest enclosing layer that is not open. */
  function closedLayer(node: PageNode): NodeKey | undefined {
    for (let key = node.parent; key !== null; key = page.nodes.get(key)?.parent ?? null) {
      const layer = page.nodes.get(key)
      if (layer && 'open' in layer.spec.options && model.node(key).options.open !== true) return key
    }
    return undefined
  }

  /** Loads the fields of an open layer; those in a closed one wait until it opens. */
  async function loadReachable(fields: readonly PageNode[]): Promise<void> {
    const waiting = new Map<NodeKey, PageNode[]>()
    const reachable: PageNode[] = []
    for (const field of fields) {
      const layer = closedLayer(field)
      if (layer === undefined) reachable.push(field)
      else waiting.set(layer, [...(waiting.get(layer) ?? []), field])
    }
    for (const [layer, inside] of waiting) {
      const stop = model.subscribe(layer, () => {
        if (model.node(layer).options.open !== true) return
        stop()
        void loadReachable(inside)
      })
    }
    await load(reachable.filter(({ options }) => !isHeld(String(options.dsName))))
  }

  return {
    open: () => loadReachable(fieldsOf()),
    reload: (names) => load(fieldsOf(names)),
    follow: (source, answer) =>
      fieldsOf()
        .filter(({ options }) => options.dsName === source && options.remote !== true)
        .flatMap(({ key, options }) => [
          { cell: optionCell(key, 'loadedItems'), value: itemsOf(answer, setOf(options)) },
          { cell: optionCell(key, 'itemsState'), value: 'ready' },
        ]),
  }
}

/** The message of whoever answered; none for a lost network. */
function wordsOf(answer: Outcome<Json>): string {
  return !answer.ok && answer.error.code === 'REFUSED' ? answer.error.message : ''
}

const ASKED = { keep: true, tell: true }

/** The data set of its source that a field uses; null: the whole answer. */
const setOf = ({ dataSetName: set }: JsonObject): string | null =>
  typeof set === 'string' && set !== '' ? set : null

function itemsOf(answer: Json, set: string | null): readonly Json[] {
  const found = set === null ? answer : valueAt(answer, set)
  if (Array.isArray(found)) return found
  return isObject(found) && Array.isArray(found.list) ? found.list : []
}

/** A picker that requests many rows at once passes the number to its source. */
function pageSizeOf({ pageSize }: JsonObject): JsonObject {
  return typeof pageSize === 'number' ? { pageSize } : {}
}
