import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Meanings } from '../../../model/convert-value.ts'
import type { Field } from '../../../model/description.ts'
import { type Codes, splitCell, type Words } from '../../../model/kind.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { CallContext } from '../context/call-context.ts'
import { regionCalled, regionName } from '../regions/regions.ts'
import { text } from '../text/text.ts'
import { dictLabels, type OfTenant } from './dict-label.ts'
import { idsCalled, namesBehind } from './words.ts'

/** The texts for the values of these rows, looked up once for all further use. */
export async function wordsFor(
  fields: readonly Field[],
  rows: readonly JsonObject[],
  ctx: CallContext,
): Promise<Words> {
  const names = new Map<string, ReadonlyMap<string, string>>()
  for (const field of fields.filter(isReference)) {
    const ids = [...new Set(rows.flatMap((row) => textsOf(row[field.name])))]
    if (ids.length > 0) names.set(field.name, await namesBehind(field, ids, ctx))
  }
  return wordsOf(await dictLabels(fields, ctx), names)
}

/** A value as text; a reference to what the reader does not see is left out rather than an id. */
export function writeSeen(value: Json, field: Field, words: Words): string {
  if (!isReference(field)) return kindOf(field.kind).write(value, field, words)
  return textsOf(value)
    .flatMap((id) => words.labelOf(field, id) ?? [])
    .join('、')
}

/** The texts and codes of fields whose values refer neither to people nor to records: what a job can use, which has no caller. */
export async function plainMeanings(fields: readonly Field[], tenant: OfTenant): Promise<Meanings> {
  const labels = await dictLabels(fields, tenant)
  return { words: wordsOf(labels, new Map()), codes: codesOf(labels, new Map()) }
}

type Found = ReadonlyMap<string, ReadonlyMap<string, string>>

function wordsOf(labels: Found, names: Found): Words {
  return {
    labelOf(field, code) {
      if (field.dict !== undefined) return labels.get(field.dict)?.get(code)
      const option = field.options?.find(({ value }) => value === code)
      return option === undefined ? names.get(field.name)?.get(code) : labelText(option.label)
    },
    regionOf: (codes) => regionName(codes, '/'),
    yes: text('sheet.yes'),
    no: text('sheet.no'),
  }
}

/** The codes for texts that people entered. @param cells  the texts in the file, by field: names of records are looked up together */
export async function codesFor(
  fields: readonly Field[],
  cells: ReadonlyMap<string, readonly string[]>,
  ctx: CallContext,
): Promise<Codes> {
  const ids = new Map<string, ReadonlyMap<string, string>>()
  for (const field of fields.filter(isReference)) {
    const words = [...new Set((cells.get(field.name) ?? []).flatMap((cell) => [cell, ...splitCell(cell)]))]
    if (words.length > 0) ids.set(field.name, await idsCalled(field, words, ctx))
  }
  return codesOf(await dictLabels(fields, ctx), ids)
}

function codesOf(labels: Found, ids: Found): Codes {
  const codes = new Map([...labels].map(([dict, found]) => [dict, inverse(found)]))
  return {
    codeOf(field, word) {
      if (field.dict !== undefined) {
        const known = labels.get(field.dict)
        return known?.has(word) ? word : codes.get(field.dict)?.get(word)
      }
      const option = field.options?.find(({ value, label }) => value === word || labelText(label) === word)
      return option?.value ?? ids.get(field.name)?.get(word)
    },
    regionCalled: (words) => regionCalled(words) ?? undefined,
    yes: [text('widget.yes'), text('sheet.yes'), '1', 'true', 'TRUE', 'Y'],
    no: [text('widget.no'), text('sheet.no'), '0', 'false', 'FALSE', 'N'],
  }
}

const isReference = ({ kind }: Field): boolean => kindOf(kind).index === 'ref'

const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []

const inverse = (found: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...found].map(([value, label]) => [label, value]))
