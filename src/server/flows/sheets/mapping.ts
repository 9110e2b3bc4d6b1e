import type { Json } from '../../../../runtime/core/json.ts'
import { labelTexts } from '../../../model/labels.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { MAX_COLUMNS } from './read-sheet.ts'
import { isRequired, type SheetColumn } from './sheet-column.ts'

/** The field of each column of a file, by index; null for an ignored column. */
export type Mapping = readonly (string | null)[]

const plain = (title: string): string => title.replace(/[*＊\s:：()（）]/g, '').toLowerCase()

/** A single character is part of too many titles. */
const MIN_PART = 2

/**
 * Guesses fields by the titles of a file: first by labels (in any language) and names, then by alternative titles, then by a label within a title,
 * then by a title within exactly one label. Each field is assigned once.
 */
export function guessMapping(titles: readonly string[], columns: readonly SheetColumn[]): Mapping {
  const found = new Map<number, string>()
  const usedNames = new Set<string>()
  const longestFirst = [...columns].sort((a, b) => b.label.length - a.label.length)
  const isTitle = (title: string, { label, name, field }: SheetColumn) =>
    title === name || [label, ...labelTexts(field.label)].some((one) => title === plain(one))
  const isAlso = (title: string, { field }: SheetColumn) =>
    (field.import ?? []).some((word) => title === plain(word))
  const isWithin = (title: string, { label }: SheetColumn) => title.includes(plain(label))
  const isPart = (title: string, column: SheetColumn) => {
    const holding = columns.filter(({ label, name }) => !usedNames.has(name) && plain(label).includes(title))
    return title.length >= MIN_PART && holding.length === 1 && holding[0] === column
  }
  for (const matches of [isTitle, isAlso, isWithin, isPart])
    for (const [at, title] of titles.map(plain).entries()) {
      const column = longestFirst.find((one) => !usedNames.has(one.name) && matches(title, one))
      if (title === '' || found.has(at) || column === undefined) continue
      found.set(at, column.name)
      usedNames.add(column.name)
    }
  return titles.map((_, at) => found.get(at) ?? null)
}

/** A mapping chosen by the user. @throws Refusal 400 if it is invalid */
export function readMapping(given: Json, columns: readonly SheetColumn[]): Mapping {
  const known = new Set(columns.map(({ name }) => name))
  const mapping = (Array.isArray(given) ? given.slice(0, MAX_COLUMNS) : ['']).map((field) =>
    field === null || field === '' ? null : String(field),
  )
  const isFit = Array.isArray(given) && mapping.every((field) => field === null || known.has(field))
  return isFit ? mapping : refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'mapping' })
}

/** Labels of the required fields without a column. */
export const missingOf = (mapping: Mapping, columns: readonly SheetColumn[]): readonly string[] =>
  columns.filter((column) => isRequired(column) && !mapping.includes(column.name)).map(({ label }) => label)

/** Labels of the fields with more than one column. */
export const repeatedOf = (mapping: Mapping, columns: readonly SheetColumn[]): readonly string[] =>
  columns.filter(({ name }) => mapping.indexOf(name) !== mapping.lastIndexOf(name)).map(({ label }) => label)

/** @throws Refusal 400 naming fields of the mapping that are not offered */
export function refuseUnoffered(
  mapping: Mapping,
  columns: readonly SheetColumn[],
  offered: readonly SheetColumn[],
): void {
  const names = new Set(offered.map(({ name }) => name))
  const barred = columns.filter(({ name }) => mapping.includes(name) && !names.has(name))
  if (barred.length === 0) return
  const labels = barred.map(({ label }) => label).join('、')
  refuse(400, 'VALIDATION', text('sheet.not-writable', { names: labels }))
}

/**
 * @param offered  columns that the caller may fill
 * @throws Refusal 400 naming required fields without a column, a field with two, or one that is not offered
 */
export function checkMapping(
  mapping: Mapping,
  columns: readonly SheetColumn[],
  offered: readonly SheetColumn[],
): void {
  refuseUnoffered(mapping, columns, offered)
  const missing = missingOf(mapping, offered)
  if (missing.length > 0) refuse(400, 'VALIDATION', text('sheet.no-column', { names: missing.join('、') }))
  const repeated = repeatedOf(mapping, columns)
  if (repeated.length > 0)
    refuse(400, 'VALIDATION', text('sheet.mapped-twice', { names: repeated.join('、') }))
}
