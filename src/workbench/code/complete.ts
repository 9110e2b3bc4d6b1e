import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { HOOKS } from '../../../runtime/core/hooks/hook-names.ts'
import { isObject, type Json, type JsonObject, sameJson } from '../../../runtime/core/json.ts'
import { ACTIONS } from '../../../runtime/core/page/actions.ts'
import { keysOf as actionKeys } from '../actions/model.ts'
import { wordOr } from '../context.ts'
import { type PlaceWord, placeWords } from '../places/places.ts'
import { keysIn, placeIn, type Root, schemasOfKey, textIn } from './schema-place.ts'

/** The names of a page that its text can use. */
export interface PageNames {
  /** Paths that texts and rules read. */
  readonly words: readonly PlaceWord[]
  readonly sources: readonly PlaceWord[]
  readonly dictionaries: readonly PlaceWord[]
  /** Names of the page that fit a key of an action. */
  readonly forAction: (action: string, key: string) => readonly string[]
}

/** A suggestion at a position of a text. */
interface JsonWord {
  readonly label: string
  readonly detail: string
  /** The inserted text, if it differs from the label. */
  readonly apply?: string
}

interface JsonWords {
  readonly from: number
  readonly to: number
  readonly list: readonly JsonWord[]
}

/** Suggestions at a position of a text: keys and values from the schema of pages, names and paths of this page. */
export function jsonWords(text: string, offset: number, root: Root, names: PageNames): JsonWords | null {
  const place = placeIn(text, offset, root)
  const { path, holder, schemas } = place
  const begun = /"[^"\\\n{}]*$/.exec(text.slice(0, offset))
  const from = begun?.index ?? offset
  const end = begun === null ? 0 : (/^[^"\\\n,:{}]*"/.exec(text.slice(offset))?.[0].length ?? 0)
  if (place.isKey) {
    const existing = keysIn(holder)
    const isFollowed = /^\s*:/.test(text.slice(offset + end))
    const list = [...keysOf(schemas, textIn(holder, 'do'))]
      .filter((key) => !existing.has(key) || text.slice(from + 1, offset + end - 1) === key)
      .map((key): JsonWord => {
        const opening = isFollowed ? '' : `: ${openingOf(schemasOfKey(schemas, key))}`
        return { label: key, detail: keyWord(key, path, textIn(holder, 'do')), apply: `"${key}"${opening}` }
      })
    return list.length === 0 ? null : { from, to: offset + end, list }
  }
  const key = String(path.at(-1) ?? '')
  const values = [...valuesOf(schemas, key), ...namesAt(key, path, textIn(holder, 'do'), names)]
  const list = values.filter((value, i) => values.findIndex(({ label }) => label === value.label) === i)
  return list.length === 0 ? null : { from, to: offset + end, list }
}

/** The suggestions for an editor. */
export function completeJson(
  { state, pos, explicit }: CompletionContext,
  root: Root,
  names: PageNames,
): CompletionResult | null {
  const line = state.doc.lineAt(pos)
  const before = line.text.slice(0, pos - line.from)
  const inPlace = placeWords(before, names.words)
  if (inPlace !== null)
    return {
      from: line.from + inPlace.from,
      options: inPlace.list.map(({ word, label }) => ({ label: word, detail: label })),
      filter: false,
    }
  // Shown automatically between quotes, elsewhere by Ctrl and Space.
  if (!explicit && !/"[\w.:/-]*$/.test(before)) return null
  const found = jsonWords(state.doc.toString(), pos, root, names)
  if (found === null) return null
  return {
    from: found.from,
    to: found.to,
    // The typed text includes its quote.
    options: found.list.map(({ label, detail, apply = `"${label}"` }) => ({
      label: `"${label}"`,
      displayLabel: label,
      detail,
      apply,
    })),
  }
}

/** @param action  the kind of action: each has its own keys */
function keysOf(schemas: readonly JsonObject[], action: string): ReadonlySet<string> {
  if (Object.hasOwn(ACTIONS, action)) return new Set(['do', ...actionKeys(action).map(({ name }) => name)])
  return new Set(
    schemas.flatMap(({ properties, patternProperties }) => [
      ...(isObject(properties) ? Object.keys(properties) : []),
      ...(isObject(patternProperties) ? Object.keys(patternProperties).flatMap(codesBy) : []),
    ]),
  )
}

/** Code of the page and of its sources, which the schema recognises by the pattern of its names. */
const codesBy = (pattern: string): readonly string[] =>
  Object.entries(HOOKS).flatMap(([name, { place }]) =>
    place !== 'widget' && new RegExp(pattern).test(name) ? [name] : [],
  )

/** The beginning of a value, if there is only one possibility. */
function openingOf(schemas: readonly JsonObject[]): string {
  const types = new Set(schemas.flatMap(({ type }) => (typeof type === 'string' ? [type] : [])))
  if (types.size !== 1) return ''
  const [only] = types
  return only === 'array' ? '[]' : only === 'object' ? '{}' : only === 'string' ? '""' : ''
}

function valuesOf(schemas: readonly JsonObject[], key: string): readonly JsonWord[] {
  const enumValues = schemas.flatMap(({ enum: words }) => (Array.isArray(words) ? words : []))
  const isFlag = schemas.some(
    ({ type }) =>
      type === 'boolean' || (Array.isArray(type) && type.includes('boolean') && !type.includes('string')),
  )
  const all: readonly Json[] = [...enumValues, ...(isFlag ? [true, false] : [])]
  return all
    .filter((one, i) => one !== null && one !== '' && all.findIndex((other) => sameJson(one, other)) === i)
    .filter((one) => key !== 'type' || !String(one).startsWith('m-'))
    .map((one) => ({
      label: String(one),
      detail: valueWord(key, String(one)),
      apply: JSON.stringify(one),
    }))
}

function namesAt(
  key: string,
  path: readonly (string | number)[],
  action: string,
  names: PageNames,
): readonly JsonWord[] {
  const ofAction = action === '' ? [] : names.forAction(action, key).map((label) => ({ label, detail: '' }))
  const toWords = (list: readonly PlaceWord[]) =>
    list.map(({ word, label }) => ({ label: word, detail: label }))
  if (key === 'dsName') return ofAction.length > 0 ? ofAction : toWords(names.sources)
  if (key === 'dict') return toWords(names.dictionaries)
  if (key === 'var') return toWords(names.words)
  if (key === 'bind' || key.endsWith('Bind'))
    return toWords(names.words.filter(({ word }) => /^(?:data|form|row)\./.test(word)))
  if (key === 'value' && path.at(-3) !== 'optionItems' && path.includes('dataSources'))
    return toWords(names.words)
  return ofAction
}

/** The label of a key among the options of a widget, of the page, of a source or an action. */
export function keyWord(key: string, path: readonly (string | number)[], action = ''): string {
  const event = /^on([A-Z])(\w*)$/.exec(key)
  const manners =
    action !== ''
      ? ['actionKey', 'key']
      : path.at(-2) === 'on'
        ? ['event']
        : path.at(-2) === 'options'
          ? ['option', 'key']
          : path.includes('dataSources')
            ? ['key', 'option']
            : ['page', 'key', 'option']
  const description = manners
    .map((manner) => wordOr(`workbench.${manner}.${key}`, ''))
    .find((one) => one !== '')
  if (description !== undefined || event === null) return description ?? ''
  const [, first = '', rest = ''] = event
  return wordOr(`workbench.event.${first.toLowerCase()}${rest}`, '')
}

/** The label of a value. */
export function valueWord(key: string, value: string): string {
  if (key === 'type') return wordOr(`workbench.widget.${value}`, '')
  if (key === 'do') return wordOr(`workbench.action.${value}`, '')
  return wordOr(`workbench.value.${value}`, '')
}
