import { isObject, type Json, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import type { DictMap } from '../../../contract/dict.ts'
import type { DerivedWords } from '../../../model/derive-pages.ts'
import { cardOf } from '../../../model/derived/card.ts'
import { container, factOf, shownFields } from '../../../model/derived/parts.ts'
import type { Field } from '../../../model/description.ts'
import { fieldWidgets } from '../../../model/form-fields.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import { groupsOf, type MergedModule } from '../../../model/merge-module.ts'
import { withoutTyped } from '../../../model/page-references.ts'
import { text } from '../../kernel/text/text.ts'

/** The preview of a module: how a record is filled in, appears in a list, and is read. */
export const FACES = ['form', 'card', 'detail'] as const
export type Face = (typeof FACES)[number]

/** What a preview is made with. A preview has no dictionaries and makes no calls: their words are put in. */
interface Previewing {
  readonly words: DerivedWords
  readonly dicts: DictMap
  /** The module's form as its users have it; none where it is derived. */
  readonly form?: Json
  /** A field: form and detail show only it and its neighbours. */
  readonly focus?: string | undefined
}

/** A document that previews the fields of a module, with a record that has a value in every field. */
export function previewOf(face: Face, whole: MergedModule, { focus, ...around }: Previewing): JsonObject {
  const { dicts } = around
  const given = face === 'form' ? whole : withOptions(whole, dicts)
  const module = focus === undefined || face === 'card' ? given : { ...given, ...neighbours(given, focus) }
  const titleOf = (row: JsonObject): Json => row[module.title] ?? ''
  const sample = sampleRecord(module, dicts)
  const record = { ...sample, title: titleOf(sample), ...COMMON, owner_name: text('model.sample.person') }
  const widgets = FACE_WIDGETS[face](module, around)
  return {
    formConfig: {
      layoutType: 'H5',
      jsonVersion: -3,
      page: {
        draft: false,
        on: { load: [{ do: 'set', data: 'preview', value: { record, list: [record] } }] },
      },
      dataSources: [],
    },
    widgetList: [...widgets],
  }
}

const NEAR = 5

/** Restricts a form to the neighbours of one field. */
function neighbours(module: MergedModule, name: string): Pick<MergedModule, 'fields' | 'groups'> {
  const shown = new Set(shownFields(module).map((field) => field.name))
  const groups = groupsOf(module).flatMap((group) => {
    const fields = group.fields.filter((field) => shown.has(field))
    const at = fields.indexOf(name)
    return at < 0 ? [] : [{ ...group, fields: fields.slice(Math.max(0, at - NEAR), at + NEAR) }]
  })
  const shownNames = new Set(groups.flatMap(({ fields }) => fields))
  return { groups, fields: module.fields.filter((field) => shownNames.has(field.name)) }
}

const COMMON: JsonObject = { id: 'sample', created_at: '2026-01-05 10:20:00', record_no: '' }

const FACE_WIDGETS: Readonly<
  Record<Face, (module: MergedModule, around: Previewing) => readonly JsonObject[]>
> = {
  form(module, { words, dicts, form = null }) {
    const drawn = drawnBy(form)
    const shown = new Map(shownFields(module).map((field) => [field.name, field]))
    return groupsOf(module).flatMap(({ name, label, fields }) => {
      const widgets = fields.flatMap((entry) => {
        const field = shown.get(entry)
        const isWritten = field !== undefined && field.readonly !== 'always' && !kindOf(field.kind).derived
        if (!isWritten) return []
        return fieldWidgets(field, words).map((widget) => offering(drawn(alone(widget)), dicts))
      })
      const title = labelText(label) || labelText(module.label)
      return widgets.length === 0
        ? []
        : [container('cell-group', { name: `group_${name}`, label: title, inset: true }, widgets)]
    })
  },
  card: (module, { words }) => [
    container('list', { name: 'rows', bind: 'data.preview.list', itemHeight: 104 }, cardOf(module, words)),
  ],
  detail: (module, { words }) => {
    const byName = new Map(shownFields(module).map((field) => [field.name, field]))
    return groupsOf(module).flatMap(({ name, label, fields }) => {
      const items = fields.flatMap((fieldName) => {
        const field = byName.get(fieldName)
        return field === undefined ? [] : [factOf(field, 'data.preview.record')]
      })
      const options = { name: `facts_${name}`, bind: 'data.preview.record', items }
      return items.length === 0
        ? []
        : [{ type: 'descriptions', options: { ...options, label: labelText(label) || words.facts } }]
    })
  },
}

/** A widget for preview: it sends no requests, and rules that hide it are removed because the fields they read may be missing. */
function alone(widget: JsonObject): JsonObject {
  const {
    dsEnabled: _,
    dsName: __,
    requiredOn: ___,
    defaultOn: ____,
    ...options
  } = isObject(widget.options) ? widget.options : {}
  const children = Array.isArray(widget.widgetList) ? widget.widgetList.filter(isObject) : null
  return { ...widget, options, ...(children === null ? {} : { widgetList: children.map(alone) }) }
}

/** Widgets that hold the same value as another one, and need no source. */
const SAME_VALUE: ReadonlySet<unknown> = new Set(['radio', 'checkbox', 'select', 'textarea', 'stepper'])

/** How the module's own form draws a field where it names another widget than its kind does. */
function drawnBy(form: Json): (widget: JsonObject) => JsonObject {
  const onForm = new Map(
    objectsWithin(form)
      .filter(({ type, formItemFlag }) => formItemFlag === true && SAME_VALUE.has(type))
      .map((widget) => [ownValue(widget.options, 'name'), widget]),
  )
  return (widget) => {
    const { type = null, options } = onForm.get(ownValue(widget.options, 'name')) ?? {}
    if (type === null || type === widget.type || !isObject(widget.options)) return widget
    const buttonStyle = ownValue(options, 'buttonStyle')
    const { options: shared } = withoutTyped(widget)
    return {
      ...widget,
      type,
      options: { ...(isObject(shared) ? shared : {}), ...(buttonStyle === undefined ? {} : { buttonStyle }) },
    }
  }
}

function objectsWithin(value: Json): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsWithin)
  if (!isObject(value)) return []
  return [value, ...Object.values(value).flatMap((one) => objectsWithin(one ?? null))]
}

/** A widget that offers what its dictionary does. */
function offering(widget: JsonObject, dicts: DictMap): JsonObject {
  const { dict, ...options } = isObject(widget.options) ? widget.options : {}
  const rows = Array.isArray(widget.widgetList) ? widget.widgetList.filter(isObject) : null
  const offered = typeof dict === 'string' ? { ...options, optionItems: offeredBy(dict, dicts) } : options
  const children = rows === null ? {} : { widgetList: rows.map((one) => offering(one, dicts)) }
  return { ...widget, options: offered, ...children }
}

const offeredBy = (dict: string, dicts: DictMap) =>
  (dicts[dict] ?? [])
    .filter(({ disable }) => !disable)
    .map(({ value, label, color }) => ({ value, label, color }))

/** The module with what its dictionaries offer as options of its own. */
const withOptions = (module: MergedModule, dicts: DictMap): MergedModule => ({
  ...module,
  fields: module.fields.map(({ dict, ...field }) =>
    dict === undefined ? field : { ...field, options: offeredBy(dict, dicts) },
  ),
})

/** A value for every field, with the texts of codes as sent by the server. */
function sampleRecord(module: MergedModule, dicts: DictMap): JsonObject {
  return Object.fromEntries(
    shownFields(module).flatMap((field): [string, Json][] => {
      const [value, name] = sampleOf(field, dicts)
      return [
        [field.name, value],
        [`${field.name}_name`, name],
      ]
    }),
  )
}

function sampleOf(field: Field, dicts: DictMap): readonly [Json, Json] {
  const { stored, several } = kindOf(field.kind)
  if (field.kind === 'choice' || field.kind === 'choices') {
    const first = field.options?.[0] ?? (field.dict === undefined ? undefined : dicts[field.dict]?.[0])
    const value = first?.value ?? ''
    return [several ? [value] : value, first === undefined ? '' : labelText(first.label)]
  }
  if (field.kind === 'user' || field.kind === 'users') return person(several)
  if (stored === 'number') return [Math.max(field.min ?? 0, Math.min(field.max ?? 100, 100)), '']
  if (stored === 'day') return ['2026-01-08', '']
  if (stored === 'moment') return ['2026-01-08 10:00:00', '']
  if (stored === 'flag') return [true, text('sheet.yes')]
  if (field.kind === 'phone') return ['13800138000', '']
  if (field.kind === 'email') return ['name@example.com', '']
  if (field.kind === 'url') return ['https://example.com', '']
  const words = text('model.sample.text', { label: labelText(field.label) })
  if (field.fields !== undefined) return sampleRow(field.fields, dicts)
  if (stored === 'none') return [SAMPLE_NUMBER, String(SAMPLE_NUMBER)]
  if (several) return [[words], words]
  return stored === 'text' ? [words, words] : [null, '']
}

const SAMPLE_NUMBER = 12

function sampleRow(fields: readonly Field[], dicts: DictMap): readonly [Json, Json] {
  const cells = fields.map((field): [string, Json, Json] => [field.name, ...sampleOf(field, dicts)])
  const row = Object.fromEntries(cells.map(([name, value]) => [name, value]))
  return [[row], cells.map(([, value, name]) => name || value).join(' · ')]
}

const person = (several: boolean | undefined): readonly [Json, Json] => {
  const name = text('model.sample.person')
  return [several ? ['u1'] : 'u1', name]
}
