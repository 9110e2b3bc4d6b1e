import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { DictMap } from '../../../contract/dict.ts'
import type { DerivedWords } from '../../../model/derive-pages.ts'
import { cardOf } from '../../../model/derived/card.ts'
import { container, factOf, shownFields } from '../../../model/derived/parts.ts'
import type { Field } from '../../../model/description.ts'
import { fieldWidgets } from '../../../model/form-fields.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import { groupsOf, type MergedModule } from '../../../model/merge-module.ts'
import { text } from '../../kernel/text/text.ts'

/** The preview of a module: how a record is filled in, appears in a list, and is read. */
export const FACES = ['form', 'card', 'detail'] as const
export type Face = (typeof FACES)[number]

/**
 * A document that previews the fields of a module, with a record that has a value in every field.
 *
 * @param focus  a field: form and detail show only it and its neighbours
 */
export function previewOf(
  face: Face,
  given: MergedModule,
  words: DerivedWords,
  dicts: DictMap,
  focus?: string,
): JsonObject {
  const module = focus === undefined || face === 'card' ? given : { ...given, ...around(given, focus) }
  const titleOf = (row: JsonObject): Json => row[module.title] ?? ''
  const sample = sampleRecord(module, dicts)
  const record = { ...sample, title: titleOf(sample), ...COMMON, owner_name: text('model.sample.person') }
  const widgets = FACE_WIDGETS[face](module, words)
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
function around(module: MergedModule, name: string): Pick<MergedModule, 'fields' | 'groups'> {
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
  Record<Face, (module: MergedModule, words: DerivedWords) => readonly JsonObject[]>
> = {
  form(module, words) {
    const shown = new Map(shownFields(module).map((field) => [field.name, field]))
    return groupsOf(module).flatMap(({ name, label, fields }) => {
      const widgets = fields.flatMap((entry) => {
        const field = shown.get(entry)
        const isWritten = field !== undefined && field.readonly !== 'always' && !kindOf(field.kind).derived
        return isWritten ? fieldWidgets(field, words).map(alone) : []
      })
      const title = labelText(label) || labelText(module.label)
      return widgets.length === 0
        ? []
        : [container('cell-group', { name: `group_${name}`, label: title, inset: true }, widgets)]
    })
  },
  card: (module, words) => [
    container('list', { name: 'rows', bind: 'data.preview.list', itemHeight: 104 }, cardOf(module, words)),
  ],
  detail: (module, words) => {
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
