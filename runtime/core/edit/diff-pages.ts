import { isObject, type Json, type JsonObject, ownValue, sameJson } from '../json.ts'
import { joinPointer } from '../page/pointer.ts'
import { type Item, type ItemKey, itemsOf, PAGE, titleOf, withoutChildren } from './entries.ts'
import { type Matches, matchItems } from './match-items.ts'
import { unmovedKeys } from './unmoved-keys.ts'

/** One difference between two versions of a page, as a person would describe it. */
export interface PageChange {
  readonly kind: 'added' | 'removed' | 'moved' | 'changed'
  /** Key of the item, `source:NAME` of a data source, '' of the page itself. */
  readonly id: string
  /** Its label, title or name. */
  readonly title: string
  /** JSON pointer into the later document; for a removed item into the earlier one. */
  readonly at: string
  /** `widget`, `source`; for a change its path: `options.label`, `type`, `page.title`, `onFormCreated`, `body`. */
  readonly what: string
  readonly from?: unknown
  readonly to?: unknown
}

/** The differences in `after`, in document order; empty exactly if the documents are equal. */
export function diffPages(before: Json, after: Json): readonly PageChange[] {
  if (sameJson(before, after)) return []
  const matches = matchItems(before, after)
  const found = [
    ...removed(before, matches),
    ...[...itemsOf(after).values()].flatMap((item) => changesOf(item, before, after, matches)),
    ...configChanges(ownValue(before, 'formConfig'), ownValue(after, 'formConfig')),
    ...pageChanges(before, after),
  ]
  return found.length > 0 ? found : [elsewhere(before, after)]
}

/** A difference outside widgets, settings and sources: a stray value in a list. */
const elsewhere = (from: Json, to: Json): PageChange => ({
  kind: 'changed',
  id: PAGE,
  title: '',
  at: '',
  what: 'document',
  from,
  to,
})

/** An item removed with its container is not listed separately. */
function removed(before: Json, { to }: Matches): PageChange[] {
  const isRemoved = (key: ItemKey): boolean => key !== PAGE && !to.has(key)
  return [...itemsOf(before).values()]
    .filter((item) => isRemoved(item.key) && !isRemoved(item.parent))
    .map(({ key, at, written }) => ({
      kind: 'removed',
      id: key,
      title: titleOf(written),
      at,
      what: 'widget',
      from: written,
    }))
}

function changesOf(item: Item, before: Json, after: Json, matches: Matches): PageChange[] {
  const { key, at, written } = item
  const previous = matches.from.get(key)
  const about = { id: key, title: titleOf(written), at }
  if (previous === undefined) {
    const withContainer = item.parent !== PAGE && !matches.from.has(item.parent)
    return withContainer ? [] : [{ kind: 'added', ...about, what: 'widget', to: written }]
  }
  const changes: PageChange[] = []
  if (hasMoved(previous, item, before, after, matches))
    changes.push({ kind: 'moved', ...about, what: 'widget', from: placeOf(previous), to: placeOf(item) })
  return [
    ...changes,
    ...valueChanges(withoutChildren(previous.written), withoutChildren(written), about, ['options']),
  ]
}

const placeOf = ({ parent, index }: Item) => ({ container: parent, index })

function hasMoved(previous: Item, item: Item, before: Json, after: Json, { to, from }: Matches): boolean {
  const parentWas = previous.parent === PAGE ? PAGE : to.get(previous.parent)?.key
  if (parentWas !== item.parent || previous.slot !== item.slot) return true
  const stays = (candidate: Item): Item | undefined => {
    const then = from.get(candidate.key)
    return then !== undefined && then.parent === previous.parent && then.slot === previous.slot
      ? then
      : undefined
  }
  return !unmovedKeys(before, after, item, stays).has(item.key)
}

/** The differing values, one level deeper for the objects named by `into`. */
function valueChanges(
  was: JsonObject,
  now: JsonObject,
  about: { readonly id: string; readonly title: string; readonly at: string },
  into: readonly string[],
  prefix = '',
): PageChange[] {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(now)])]
  return keys.flatMap((key): PageChange[] => {
    const from = was[key]
    const to = now[key]
    if (sameJson(from, to)) return []
    const at = joinPointer(about.at, key)
    if (into.includes(key) && isObject(from ?? {}) && isObject(to ?? {})) {
      const inner = valueChanges(asObject(from), asObject(to), { ...about, at }, [], `${prefix}${key}.`)
      if (inner.length > 0) return inner
    }
    const change = { kind: 'changed' as const, ...about, at, what: `${prefix}${key}` }
    return [{ ...change, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }]
  })
}

const asObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

function configChanges(before: Json | undefined, after: Json | undefined): PageChange[] {
  const was = asObject(before)
  const now = asObject(after)
  const { dataSources: oldSources, ...old } = was
  const { dataSources: newSources, ...rest } = now
  return [
    ...sourceChanges(oldSources, newSources),
    ...valueChanges(old, rest, { id: PAGE, title: '', at: '/formConfig' }, ['page']),
  ]
}

/** Values besides the widgets and the settings. */
function pageChanges(before: Json, after: Json): PageChange[] {
  const { widgetList: _old, formConfig: _was, ...was } = asObject(before)
  const { widgetList: _new, formConfig: _now, ...now } = asObject(after)
  return valueChanges(was, now, { id: PAGE, title: '', at: '' }, [])
}

const SOURCES = '/formConfig/dataSources'

function sourceChanges(before: Json | undefined, after: Json | undefined): PageChange[] {
  const was = sourcesByName(before)
  const now = sourcesByName(after)
  if (was === null || now === null)
    return valueChanges(
      { dataSources: before },
      { dataSources: after },
      { id: PAGE, title: '', at: '/formConfig' },
      [],
    )
  const removedSources = [...was].filter(([name]) => !now.has(name))
  const shared = [...now.keys()].filter((name) => was.has(name))
  const order = [...was.keys()].filter((name) => now.has(name))
  return [
    ...removedSources.map(
      ([name, { source, index }]): PageChange => ({
        kind: 'removed',
        ...aboutSource(name, index),
        what: 'source',
        from: source,
      }),
    ),
    ...[...now].flatMap(([name, { source, index }]): PageChange[] => {
      const old = was.get(name)
      if (old === undefined)
        return [{ kind: 'added', ...aboutSource(name, index), what: 'source', to: source }]
      return valueChanges(old.source, source, aboutSource(name, index), [])
    }),
    ...(shared.every((name, i) => name === order[i])
      ? []
      : [
          {
            kind: 'moved',
            id: PAGE,
            title: '',
            at: SOURCES,
            what: 'source',
            from: order,
            to: shared,
          } as const,
        ]),
  ]
}

const aboutSource = (name: string, index: number) => ({
  id: `source:${name}`,
  title: name,
  at: joinPointer(SOURCES, index),
})

type Sources = ReadonlyMap<string, { readonly source: JsonObject; readonly index: number }>

/** By name, for a reference by its target; null if something has no unique name. */
function sourcesByName(sources: Json | undefined): Sources | null {
  const byName = new Map<string, { source: JsonObject; index: number }>()
  if (sources === undefined || sources === null) return byName
  if (!Array.isArray(sources)) return null
  for (const [index, source] of sources.entries()) {
    if (!isObject(source)) return null
    const name = source.uniqueName ?? source.fragment
    if (typeof name !== 'string' || byName.has(name)) return null
    byName.set(name, { source, index })
  }
  return byName
}
