import type { ActionFrame, ActionHost } from '../actions/action-host.ts'
import { isObject } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { Scope } from '../page/scope.ts'
import type { Ports } from '../ports.ts'
import { dataCell, optionCell, rowKey, splitRowKey } from '../state/cells.ts'
import { templateValue } from '../text/template.ts'
import type { ScriptLink } from './script-link.ts'
import type { Sources } from './sources.ts'
import type { Submitter } from './submit.ts'
import type { Touched } from './touched.ts'
import type { Writing } from './writing.ts'

interface HostParts extends Pick<ActionHost, 'emit' | 'refresh'>, Required<Pick<ActionHost, 'onBound'>> {
  readonly model: Model
  readonly link: ScriptLink
  readonly ports: Ports
  readonly sources: Sources
  readonly touched: Touched
  readonly writing: Writing
  /** Read late, because what submits runs actions itself. */
  readonly submitter: () => Submitter
}

/** A page as seen by actions. */
export function createPageHost(parts: HostParts): ActionHost {
  const { model, link, ports, sources, touched, writing, submitter, emit, refresh, onBound } = parts
  const rowIdOf = ({ at }: ActionFrame): string | null =>
    at === undefined || model.page.nodes.has(at) ? null : splitRowKey(at).rowId
  /** The field for a name: first in the event's own row, then on the page. */
  const fieldOf = (name: string, frame: ActionFrame): NodeKey | undefined => {
    const rowId = rowIdOf(frame)
    const subForm = model.subForms.get(model.pageNode(frame.at ?? '')?.subForm ?? '')
    const inRow = rowId !== null && subForm?.fields.find((field) => field.name === name)
    return inRow ? rowKey(inRow.key, rowId) : model.find(name)
  }
  const scope = (frame: ActionFrame): Scope => {
    const { row, result, error, args } = frame
    const given = Object.entries({ row, result, error, args }).filter(([, value]) => value !== undefined)
    return { ...model.scope(rowIdOf(frame)), ...Object.fromEntries(given) }
  }
  const setOption: ActionHost['setOption'] = (name, option, value) => {
    const key = model.find(name)
    if (key !== undefined) link.commit([{ cell: optionCell(key, option), value }])
  }
  return {
    onBound,
    ports,
    scope,
    fill(text, frame) {
      const all = scope(frame)
      return templateValue(text, all, { now: ports.clock.now(), dict: all.dict, text: ports.text }) ?? null
    },
    request: (name, local, frame) =>
      sources.request(name, { clientToken: ports.random.uuid(), ...local }, { scope: scope(frame) }),
    submit: (action, frame) => submitter().submit(action, frame),
    validateAndReveal: () => submitter().validateAndReveal(),
    asked(name) {
      const key = sources.key(name)
      return isObject(key) ? (key.body ?? null) : null
    },
    setField(name, value, frame) {
      const key = fieldOf(name, frame)
      if (key === undefined || (frame.opening === true && touched.holds(key))) return
      if (frame.acted === true && value !== null && value !== '') touched.mark(key)
      writing.assign(key, value)
    },
    setData: (name, value) => link.commit([{ cell: dataCell(name), value }]),
    setOption,
    refresh,
    pickFiles: (name) => setOption(name, 'picking', ports.random.uuid()),
    emit,
  }
}
