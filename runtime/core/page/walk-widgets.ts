import { phrase, problem } from '../errors.ts'
import { isObject, isSafeName, type Json, ownValue } from '../json.ts'
import type { Build, Draft } from './build.ts'
import { fragmentName, fragmentWidgets } from './fragments.ts'
import type { Widget } from './page.ts'
import { joinPointer } from './pointer.ts'
import type { WidgetSpec } from './widget-spec.ts'

/** Position of the walk. `inside`: names of the open fragments; their widgets all point at the reference. */
interface Position {
  readonly parent: Draft | null
  readonly at: string
  readonly place: string
  readonly depth: number
  readonly inside: readonly string[]
}

/** Turns a widget list and all below it into drafts, in document order. */
export function walkWidgets(build: Build, list: readonly unknown[]): Draft[] {
  const top = { parent: null, at: '/widgetList', place: '/widgetList', depth: 1, inside: [] }
  return walkList(build, list, top)
}

function walkList(build: Build, list: readonly unknown[], from: Position): Draft[] {
  const drafts: Draft[] = []
  for (const [i, item] of list.entries()) {
    if (build.drafts.length > build.limits.widgets) break
    const at = from.inside.length > 0 ? from.at : joinPointer(from.at, i)
    const position = { ...from, at, place: joinPointer(from.place, i) }
    const name = fragmentName(item)
    if (name !== null) drafts.push(...walkFragment(build, name, position))
    else if (isObject(item) && item.merged !== true)
      drafts.push(...walkWidget(build, item as Widget, position))
  }
  return drafts
}

function walkFragment(build: Build, name: string, position: Position): Draft[] {
  const widgets = fragmentWidgets(build, name, position.at, position.inside)
  if (widgets === null) return []
  return walkList(build, widgets, {
    ...position,
    place: `${position.place}#${name}`,
    inside: [...position.inside, name],
  })
}

function walkWidget(build: Build, widget: Widget, position: Position): Draft[] {
  const { limits } = build
  if (typeof widget.type !== 'string') return []
  if (position.depth > limits.depth) {
    build.report(problem('DOCUMENT_TOO_DEEP', position.at, { depth: position.depth, limit: limits.depth }))
    return []
  }
  const spec = specOf(build, widget, position)
  if (spec === undefined) return []
  const { parent } = position
  const field = widget.formItemFlag === true || (spec.kind === 'field' && widget.formItemFlag !== false)
  const draft: Draft = {
    widget,
    spec,
    name: nameOf(build, widget, field, position),
    field,
    pointer: position.at,
    place: position.place,
    children: [],
    parent,
    subForm: parent === null ? null : parent.spec.children === 'rowList' ? parent : parent.subForm,
    template: parent === null ? null : parent.spec.children === 'template' ? parent : parent.template,
  }
  build.drafts.push(draft)
  const keys = childKeys(spec)
  if (keys.length === 0) return [draft]
  const below = { ...position, parent: draft, depth: position.depth + 1 }
  for (const key of keys) draft.children.push(...walkChildren(build, widget, key, below))
  return [draft]
}

type ChildKey = 'widgetList' | 'cols' | 'tabs' | 'rows'
const NO_KEYS: readonly ChildKey[] = []
const EVERY_KEY: readonly ChildKey[] = ['widgetList', 'cols', 'tabs', 'rows']

/** An unknown widget may hold its children anywhere; a known one only where its spec says. */
function childKeys(spec: WidgetSpec): readonly ChildKey[] {
  if (spec.type === 'unsupported') return EVERY_KEY
  if (spec.children === undefined) return NO_KEYS
  return [spec.children === 'template' || spec.children === 'rowList' ? 'widgetList' : spec.children]
}

function walkChildren(build: Build, widget: Widget, key: ChildKey, from: Position): Draft[] {
  const list = widget[key]
  if (!Array.isArray(list)) return []
  const below = step(from, key)
  if (key !== 'rows') return walkList(build, list, below)
  return list.flatMap((row: unknown, i: number) => {
    const cols = isObject(row) ? row.cols : undefined
    return Array.isArray(cols) ? walkList(build, cols, step(step(below, i), 'cols')) : []
  })
}

function step(from: Position, key: string | number): Position {
  const at = from.inside.length > 0 ? from.at : joinPointer(from.at, key)
  return { ...from, at, place: joinPointer(from.place, key) }
}

function specOf(build: Build, widget: Widget, { at, inside }: Position): WidgetSpec | undefined {
  const { registry } = build
  const spec = registry.get(widget.type)
  if (spec !== undefined) return spec
  const nearest = build.nearest(widget.type, registry, build.ours)
  const pointer = inside.length > 0 ? at : joinPointer(at, 'type')
  const params = { type: widget.type, nearest: nearest ?? '' }
  build.report(problem('WIDGET_UNKNOWN', pointer, params, 'warning', nearest === null ? KEPT : undefined))
  return registry.get('unsupported')
}

const KEPT = phrase('it is drawn as a notice that keeps the value')

/** `options.name`; the designer initialises it with the id, so a nameless field of plain VForm uses that. */
function nameOf(build: Build, widget: Widget, field: boolean, position: Position): string {
  const written = ownValue(widget.options, 'name')
  if (isName(written)) {
    if (isSafeName(written)) return written
    const at = position.inside.length > 0 ? position.at : joinPointer(position.at, 'options')
    build.report(
      problem('NAME_FORBIDDEN', position.inside.length > 0 ? at : joinPointer(at, 'name'), { name: written }),
    )
    return ''
  }
  if (!field) return ''
  const byId = !build.ours && isName(widget.id) && isSafeName(widget.id)
  build.report(problem('NAME_MISSING', position.at, {}, byId ? 'warning' : 'error'))
  return byId ? (widget.id ?? '') : ''
}

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}
