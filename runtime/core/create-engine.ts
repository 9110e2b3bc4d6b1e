import { joinParts } from './engine/join-parts.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { openingHooks } from './hooks/life-hooks.ts'
import { isObject, type JsonObject } from './json.ts'
import { errorCell, formCell, optionCell } from './state/cells.ts'
import { fillText } from './text/template.ts'

/**
 * Opens a page and provides its interface: every call of a host is passed to the responsible part. Makes no decisions itself. Nothing is requested
 * from the network before {@link Engine.pageEvent} `load`, and nothing at all by a page without sources or code.
 */
export function createEngine(options: EngineOptions): Engine {
  const { page, registry, ports } = options
  const parts = joinParts(options)
  const {
    model,
    link,
    touched,
    fields,
    timing,
    rows,
    writing,
    sources,
    choices,
    events,
    uploads,
    submitter,
  } = parts

  if (options.draft) link.commit(touched.restore(options.draft))
  if (page.hasCode) link.commit([], openingHooks(model))
  timing.opened()

  return {
    page,
    registry,
    ports,
    node: model.node,
    hidden: model.hidden,
    subscribe: model.subscribe,
    subscribeScope: model.subscribeScope,
    scope: () => model.scope(),
    find: model.find,
    template: model.template,
    templateVersion: model.templateVersion,
    subscribeTemplate: model.subscribeTemplate,
    fill(text, row) {
      const scope = model.scope()
      const services = { now: ports.clock.now(), dict: scope.dict, text: ports.text }
      return fillText(text, row ? { ...scope, row } : scope, services)
    },
    values: () => plainValues(model.form),
    dirty: touched.any,
    draft: touched.draft,
    typed: touched.typed,

    input: (key, value) => fields().input(key, value),
    change: (key, value) => {
      if (fields().change(key, value)) events().act(key, 'change', { at: key, acted: true })
    },
    focus: (key) => fields().focus(key),
    blur: (key) => fields().blur(key),
    event: (key, name, detail) => events().event(key, name, detail),
    consents: (key, name) => events().consents(key, name),
    addRow: (subForm, index) => rows().add(subForm, index),
    removeRow: (subForm, index) => rows().remove(subForm, index),
    uploads: uploads.by,

    setOption: (key, option, value) => link.commit([{ cell: optionCell(key, option), value }]),
    setValues: (values) => writing().fill(values),
    setErrors: (errors) => fields().setErrors(errors),
    reset: () => {
      touched.clear()
      fields().forget()
      uploads.abandon()
      writing().commitRows([
        ...model.checkedKeys().map((key) => ({ cell: errorCell(key), value: null })),
        ...model.initialWrites({}, true),
      ])
    },
    setReadMode: (on) => link.commit([{ cell: formCell('readMode'), value: on }]),
    setData: (name, value) => writing().storeSource(name, value),
    setContext: link.setContext,
    validate: () => fields().checkAll(),
    request: (name, local, requestOptions) => sources().request(name, local, requestOptions),
    source: (name) => sources().state(name),
    sending: () => submitter().sending(),
    conflict: () => submitter().conflict(),
    resolveConflict: (theirs) => submitter().resolveConflict(theirs),
    dismissConflict: () => submitter().dismissConflict(),
    autoSources: () => sources().automatic(),
    sourceKey: (name, local) => sources().key(name, local),
    refresh: parts.refresh,
    pageEvent(name, result) {
      if (name === 'load') void choices().open()
      return events().pageEvent(name, result)
    },
    onReveal: parts.onReveal,
    reveal: parts.reveal,
    onRefresh: parts.onRefresh,
    onReport: parts.reports.subscribe,
    onEmit: parts.onEmit,
    dispose() {
      timing.dispose()
      link.dispose()
    },
  }
}

/** A copy of the live values that nobody else modifies. */
const plainValues = (form: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((part) => (isObject(part) ? { ...part } : part)) : value,
    ]),
  )
