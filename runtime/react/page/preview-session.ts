import { createEngine } from '../../core/create-engine.ts'
import type { Engine } from '../../core/engine.ts'
import type { Problem } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { parsePage } from '../../core/parse-page.ts'
import { subscriber } from '../../core/state/listeners.ts'
import { previewPorts } from './preview-ports.ts'

/** A form on trial, or the faults that keep it from opening. */
export interface PreviewSession {
  readonly engine: Engine | null
  readonly problems: readonly Problem[]
  /** The events, newest first. */
  readonly events: () => readonly string[]
  /** Records an action of the view. */
  readonly note: (event: string, detail: Json) => void
  /** Calls `listener` after each event or change of a value; returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
  readonly dispose: () => void
}

const MAX_EVENTS = 30
const MAX_DETAIL = 120

/**
 * Opens a document with the registry and texts of the surrounding page, and records all events. It knows nothing about the signed-in user, since
 * anybody may have written it.
 */
export function openPreview(outer: Engine, document: Json, values: JsonObject): PreviewSession {
  const { registry } = outer
  const events: string[] = []
  const listeners = new Set<() => void>()
  const wake = () => {
    for (const listener of listeners) listener()
  }
  const note = (event: string, detail: Json) => {
    const text = detail === null ? '' : JSON.stringify(detail)
    events.unshift(`${event} ${text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text}`.trim())
    events.length = Math.min(events.length, MAX_EVENTS)
    wake()
  }
  const shared = {
    events: () => events,
    note,
    subscribe: subscriber(listeners),
  }
  const parsed = parsePage(document, { registry })
  if (!parsed.ok) return { ...shared, engine: null, problems: parsed.problems, dispose() {} }
  const ports = previewPorts(outer.ports, note)
  const inner = createEngine({ page: parsed.page, registry, ports, values })
  const ends = [
    inner.subscribeScope(wake),
    inner.onEmit((name, args) => note(`emit ${name}`, args)),
    inner.onReport(({ hook, key, code, message }) => note(`script ${hook}`, { key, code, message })),
  ]
  void inner.pageEvent('load')
  return {
    ...shared,
    engine: recorded(inner, note),
    problems: parsed.warnings,
    dispose() {
      for (const end of ends) end()
      inner.dispose()
    },
  }
}

/** The engine, with every action of the user recorded before it is carried out. */
function recorded(engine: Engine, note: PreviewSession['note']): Engine {
  const at = (key: string): string => engine.node(key).address || key
  return {
    ...engine,
    input(key, value) {
      note(`input ${at(key)}`, value)
      engine.input(key, value)
    },
    change(key, value) {
      note(`change ${at(key)}`, value)
      engine.change(key, value)
    },
    focus(key) {
      note(`focus ${at(key)}`, null)
      engine.focus(key)
    },
    blur(key) {
      note(`blur ${at(key)}`, null)
      engine.blur(key)
    },
    event(key, name, detail) {
      note(`${name} ${at(key)}`, detail?.args ? [...detail.args] : null)
      return engine.event(key, name, detail)
    },
    addRow(subForm, index) {
      note(`addRow ${at(subForm)}`, index ?? null)
      engine.addRow(subForm, index)
    },
    removeRow(subForm, index) {
      note(`removeRow ${at(subForm)}`, index)
      engine.removeRow(subForm, index)
    },
  }
}
