import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { needsSecondPerson } from '../../kernel/pages/second-person.ts'
import { readAudience } from '../../kernel/pages/trials.ts'
import { text } from '../../kernel/text/text.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'
import { type ChangeSet, type Item, isAuthor, itemsOf, stampOf, wordsIn } from './store.ts'
import type { SetStatus } from './tables.ts'

export const SET_TABS = ['open', 'waiting', 'done'] as const
export type SetTab = (typeof SET_TABS)[number]

const STATES: Readonly<Record<SetTab, readonly SetStatus[]>> = {
  open: ['open'],
  waiting: ['asked', 'scheduled', 'partial'],
  done: ['published', 'back'],
}
const MAX_SHOWN = 200
/** Roles and people of an audience that are named. */
const MAX_NAMED = 3

/** Names of people and roles, by id and code. */
interface Names {
  readonly people: ReadonlyMap<string, string>
  readonly roles: ReadonlyMap<string, string>
}

/** Sets of the tenant, the latest first. */
export async function listSets(tab: SetTab, ctx: CallContext): Promise<Json> {
  const { trx, caller } = ctx
  const rows = await trx
    .selectFrom('change_set')
    .selectAll()
    .select((select) =>
      select
        .selectFrom('change_set_item as i')
        .select((count) => count.fn.countAll<string>().as('n'))
        .whereRef('i.tenant_id', '=', 'change_set.tenant_id')
        .whereRef('i.set_id', '=', 'change_set.id')
        .as('items'),
    )
    .where('tenant_id', '=', caller.tenantId)
    .where('status', 'in', [...STATES[tab]])
    .orderBy('updated_at', 'desc')
    .limit(MAX_SHOWN)
    .execute()
  const names = await namesOf(rows, ctx)
  const list = rows.map((row) => ({ ...headOf(row, names, ctx), items: Number(row.items) }))
  return { list, total: list.length }
}

/** A set with everything in it. */
export async function setDetail(set: ChangeSet, ctx: CallContext): Promise<JsonObject> {
  const names = await namesOf([set], ctx)
  const items = await itemsOf(set.id, ctx)
  return {
    record: {
      ...headOf(set, names, ctx),
      items: items.length,
      stamp: stampOf(set, items),
      pages_only: items.every(({ kind }) => kind === 'page'),
      mine: isAuthor(set, items, ctx.caller.userId),
      second: await needsSecondPerson(ctx.trx, ctx.caller.tenantId),
    },
    list: items.map(itemWords),
  }
}

export const itemWords = ({
  kind,
  name,
  title,
  words,
}: Pick<Item, 'kind' | 'name' | 'title' | 'words'>): JsonObject => ({
  key: `${kind} ${name}`,
  kind,
  kind_name: text(`changeset.kind.${kind}`),
  name,
  title,
  words: wordsIn(words).join('\n'),
})

function headOf(set: ChangeSet, names: Names, { zone }: CallContext): JsonObject {
  const at = (when: Date | null): string => (when === null ? '' : dateTimeText(when, zone))
  const by = (user: string | null): string => (user === null ? '' : (names.people.get(user) ?? ''))
  const told = (user: string | null, when: Date | null): string =>
    when === null ? '' : [by(user), at(when)].filter((word) => word !== '').join(' · ')
  const published = told(set.published_by, set.published_at)
  const back = told(set.back_by, set.back_at)
  // Once it was published, nobody writes it any more: what happens then is said by itself.
  const written = told(set.created_by, published === '' ? set.updated_at : set.created_at)
  return {
    id: set.id,
    title: set.title,
    note: set.note,
    status: set.status,
    status_name: text(`changeset.status.${set.status}`),
    author: by(set.created_by),
    at: at(set.updated_at),
    publish_at: at(set.publish_at),
    audience: audienceWords(set, names),
    failure: set.failure,
    published_by: by(set.published_by),
    published_at: at(set.published_at),
    published,
    back,
    written,
    line: lineOf(set, { published, back, written }),
  }
}

/** The last that happened to a set, in a line of the list. */
function lineOf(
  { status }: ChangeSet,
  told: { readonly published: string; readonly back: string; readonly written: string },
): string {
  if (status === 'back' && told.back !== '') return text('changeset.line.back', { told: told.back })
  if (status === 'published' && told.published !== '')
    return text('changeset.line.published', { told: told.published })
  return told.written
}

/** The first audience of a set, as text; '' for everybody. */
function audienceWords({ audience, id }: ChangeSet, names: Names): string {
  if (audience === null) return ''
  const { roles, users, percent } = readAudience(audience, id)
  const parts = [
    named('changeset.audience.roles', roles, names.roles),
    named('changeset.audience.users', users, names.people),
    ...(percent > 0 ? [text('changeset.audience.percent', { n: percent })] : []),
  ]
  return parts.filter((part) => part !== '').join('、')
}

/** Names, after the first few their number instead. */
function named(
  more: 'changeset.audience.roles' | 'changeset.audience.users',
  ids: readonly string[],
  names: ReadonlyMap<string, string>,
): string {
  const first = ids.slice(0, MAX_NAMED).map((id) => names.get(id) ?? id)
  return ids.length > MAX_NAMED ? text(more, { names: first.join('、'), n: ids.length }) : first.join('、')
}

/** Roles and people to whom pages can be published first. */
export async function choosablePeople({ trx, caller }: CallContext): Promise<JsonObject> {
  const roles = await trx
    .selectFrom('role')
    .select(['code as value', 'name as label'])
    .where('tenant_id', '=', caller.tenantId)
    .where('deleted_at', 'is', null)
    .orderBy('sort')
    .execute()
  const users = await trx
    .selectFrom('membership')
    .select(['user_id as value', 'name as label'])
    .where('tenant_id', '=', caller.tenantId)
    .where('status', '=', 'enabled')
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .limit(MAX_SHOWN * 5)
    .execute()
  return { roles: roles.map((role) => ({ ...role })), users: users.map((user) => ({ ...user })) }
}

const anyOf = (values: readonly string[]) => sql<string>`any(${values}::text[])`

async function namesOf(sets: readonly ChangeSet[], { trx, caller }: CallContext): Promise<Names> {
  const audiences = sets.map(({ audience, id }) => readAudience(audience, id))
  const doers = sets
    .flatMap((set) => [set.created_by, set.published_by, set.asked_by, set.back_by])
    .filter((id) => id !== null)
  const ids = [...doers, ...audiences.flatMap(({ users }) => users.slice(0, MAX_NAMED))]
  const codes = audiences.flatMap(({ roles }) => roles.slice(0, MAX_NAMED))
  const people = await trx
    .selectFrom('membership')
    .select(['user_id', 'name'])
    .where('tenant_id', '=', caller.tenantId)
    .where('user_id', '=', anyOf(ids))
    .execute()
  const roles = await trx
    .selectFrom('role')
    .select(['code', 'name'])
    .where('tenant_id', '=', caller.tenantId)
    .where('deleted_at', 'is', null)
    .where('code', '=', anyOf(codes))
    .execute()
  return {
    people: new Map(people.map(({ user_id, name }) => [user_id, name])),
    roles: new Map(roles.map(({ code, name }) => [code, name])),
  }
}
