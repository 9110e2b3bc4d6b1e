import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../../model/description.ts'
import { kindOf } from '../../model/kinds/index.ts'
import { labelText } from '../../model/labels.ts'
import { readRecord } from '../../model/read-record.ts'
import { json } from '../db/json.ts'
import { parseDateTime, parseWallTime } from '../lists/zone.ts'
import { faultTexts, ruleFaults } from '../model/field-faults.ts'
import { text } from '../text.ts'
import type { Asking } from './asking.ts'
import type { CheckedRecord, Faults } from './check-record.ts'
import { dictFaults } from './dict-check.ts'
import type { InputValues } from './input.ts'
import type { Columns } from './write-row.ts'

/** Fields of the product's that people write in a module, as its description and the tenant's difference to it have them. */
export function writtenFields(module: string, { model }: Pick<Asking, 'model'>): readonly Field[] {
  return (model.modules.get(module)?.fields ?? []).filter(
    ({ origin, readonly, kind }) =>
      origin === 'vendor' && readonly !== 'always' && kind !== 'lines' && kindOf(kind).derived !== true,
  )
}

/**
 * Checks the fields of a write by their descriptions: kinds, required ones (also by rule) and dictionaries.
 *
 * @param stored  what the record has already; 'new' without one. A value of a dictionary that it has may stay when it is offered no more
 */
export async function checkDescribed(
  given: JsonObject,
  fields: readonly Field[],
  asking: Asking,
  stored: JsonObject | 'new' = 'new',
): Promise<CheckedRecord> {
  const isNew = stored === 'new'
  const asked = fields.map((field) => (field.retired === true ? { ...field, required: false } : field))
  const read = readRecord(given, asked, isNew)
  const { values, faults } = stampedValues(read.values, asked, asking.zone)
  const kept = isNew
    ? []
    : fields.flatMap(({ name }) => (typeof stored[name] === 'string' ? [stored[name]] : []))
  const coded = Object.fromEntries(
    fields.flatMap(({ name, dict, kind, label }) =>
      dict === undefined
        ? []
        : [[name, { kind: kindOf(kind).several ? 'dicts' : 'dict', dict, label: labelText(label) } as const]],
    ),
  )
  return {
    values,
    faults: {
      ...ruleFaults(asked, { ...(isNew ? {} : stored), ...given }),
      ...(await dictFaults(asking.trx, asking.caller.tenantId, values, coded, kept)),
      ...faults,
      ...faultTexts(read.faults, asked),
    },
  }
}

/** Moments as instants; days and moments that no column holds are faults. */
function stampedValues(
  read: Readonly<Record<string, Json>>,
  fields: readonly Field[],
  zone: string,
): { readonly values: InputValues; readonly faults: Faults } {
  const values: InputValues = {}
  const faults: Record<string, string> = {}
  for (const { name, kind, label } of fields) {
    if (!Object.hasOwn(read, name)) continue
    const value = read[name] ?? null
    const { stored } = kindOf(kind)
    const stamped =
      typeof value !== 'string' || (stored !== 'moment' && stored !== 'day')
        ? value
        : stored === 'moment'
          ? parseDateTime(value, zone)
          : parseWallTime(value) === null
            ? null
            : value
    if (stamped === null && value !== null) faults[name] = text('record.format', { label: labelText(label) })
    else values[name] = stamped as InputValues[string]
  }
  return { values, faults }
}

/** Checked values as columns: what a kind keeps as JSON is JSON, everything else stays. */
export function describedColumns(values: InputValues, fields: readonly Field[]): Columns {
  const isJson = new Set(fields.filter(({ kind }) => kindOf(kind).stored === 'json').map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isJson.has(name) && value !== null ? json(value as unknown as Json) : value,
    ]),
  )
}

/** Their names: what a form shows of a record. */
export const namesOfFields = (fields: readonly Field[]): string[] => fields.map(({ name }) => name)
