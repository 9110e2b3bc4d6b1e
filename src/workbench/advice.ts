import { type Advice, type AdviceFix, advise } from '../../runtime/core/check/advise.ts'
import type { Edit } from '../../runtime/core/edit/edit.ts'
import { itemsOf } from '../../runtime/core/edit/entries.ts'
import { isObject, type Json, ownValue } from '../../runtime/core/json.ts'
import type { Drawn } from './canvas/draw.ts'
import { isReference } from './canvas/resolve-page.ts'
import { t } from './context.ts'

/** A piece of advice on the draft, at the item concerned. */
export interface PlacedAdvice {
  readonly name: string
  readonly message: string
  /** Null if it concerns a data source rather than an item. */
  readonly key: string | null
  /** An edit that follows the advice; null if only the author can. */
  readonly edit: Edit | null
}

/** Advice on the drawn page, for the document as written. The content of a shared part has to be changed in that part. */
export function adviceOn(document: Json, { engine, resolved }: Drawn): readonly PlacedAdvice[] {
  if (engine === null) return []
  const items = itemsOf(document)
  return advise(engine.page).flatMap((advice): PlacedAdvice[] => {
    const key = advice.at.startsWith('/widgetList') ? (resolved.keyAt(advice.at) ?? null) : null
    const item = key === null ? undefined : items.get(key)
    if (key !== null && (item === undefined || isReference(item.written))) return []
    const edit = advice.fix === null ? null : editFor(advice.fix, key, document)
    if (key === null && edit === null && !OF_THE_PAGE.has(advice.name)) return []
    return [{ name: advice.name, message: sentence(advice), key, edit }]
  })
}

/** About a source or the page's own code: only the author can change it. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(['source-twice', 'asks-each-letter'])

const sentence = ({ name, words }: Advice): string => t(`workbench.advice.${name}`, words)

function editFor(fix: AdviceFix, key: string | null, document: Json): Edit | null {
  if (fix.do === 'remove-source') return withoutSource(document, fix.source)
  if (fix.do === 'source') return sourceWith(document, fix)
  if (key === null) return null
  if (fix.do === 'remove') return { do: 'remove', id: key }
  const path = ['options', fix.option]
  if (fix.do === 'say') return { do: 'set', id: key, path, value: t(`workbench.advice.say.${fix.option}`) }
  return { do: 'set', id: key, path, ...(fix.value === undefined ? {} : { value: fix.value }) }
}

const sourcesOf = (document: Json): readonly Json[] => {
  const list = ownValue(ownValue(document, 'formConfig'), 'dataSources')
  return Array.isArray(list) ? list : []
}

/** Null if the source comes from a shared part. */
function withoutSource(document: Json, name: string): Edit | null {
  const list = sourcesOf(document)
  const value = list.filter((one) => ownValue(one, 'uniqueName') !== name)
  return value.length === list.length ? null : { do: 'set', path: ['formConfig', 'dataSources'], value }
}

/** The counterpart of {@link withoutSource}. */
function sourceWith(
  document: Json,
  { source, key, value }: Extract<AdviceFix, { do: 'source' }>,
): Edit | null {
  const list = sourcesOf(document)
  const next = list.map((one) =>
    isObject(one) && one.uniqueName === source ? { ...one, [key]: value } : one,
  )
  const isThere = next.some((one, i) => one !== list[i])
  return isThere ? { do: 'set', path: ['formConfig', 'dataSources'], value: next } : null
}
