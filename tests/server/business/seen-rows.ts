import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../../src/server/kernel/auth/caller.ts'
import { DATA_SCOPES, type DataScope } from '../../../src/server/kernel/auth/permissions.ts'
import type { CallContext } from '../../../src/server/kernel/context/call-context.ts'
import type { Trx } from '../../../src/server/kernel/db/database.ts'
import {
  accessibleIds,
  needsNoLookup,
  type OwnedPart,
  ownedParts,
  singlePart,
} from '../../../src/server/kernel/visibility/owned-parts.ts'
import {
  customersOfMine,
  departmentsBelow,
  departmentsInScope,
  isApprover,
  isInPools,
  isInScope,
  isLive,
  isOwn,
  isVisible,
  isVisibleOwned,
  isWritable,
  membersInScope,
  type OwnedEntity,
  poolsOf,
  sharedWith,
  subordinates,
} from '../../../src/server/kernel/visibility/predicate.ts'
import { withReach } from '../../../src/server/kernel/visibility/reach.ts'
import { isShippedListed, isShippedVisible } from '../../../src/server/kernel/visibility/shipped.ts'

export const ENTITIES: readonly OwnedEntity[] = ['customer', 'lead', 'bussiness', 'contract']
const POOLED = ['customer', 'lead', 'bussiness'] as const

/* A small company, and somebody else's. Departments: d1 ⊃ d2 ⊃ d3, d4 beside; superiors: u1 ← u2 ← u3, u4 ← u5, and u6 ⇄ u7. */
const DEPTS = { d1: '/d1/', d2: '/d1/d2/', d3: '/d1/d2/d3/', d4: '/d4/' } as const
type Dept = keyof typeof DEPTS
export const PEOPLE: Readonly<Record<string, { readonly dept: Dept | null; readonly above: string | null }>> =
  {
    u1: { dept: 'd1', above: null },
    u2: { dept: 'd2', above: 'u1' },
    u3: { dept: 'd3', above: 'u2' },
    u4: { dept: 'd4', above: null },
    u5: { dept: 'd2', above: 'u4' },
    u6: { dept: 'd4', above: 'u7' },
    u7: { dept: null, above: 'u6' },
  }
interface Pool {
  readonly id: string
  readonly entity: (typeof POOLED)[number] | typeof OWN
  readonly all?: boolean
  readonly users?: readonly string[]
  readonly admins?: readonly string[]
  readonly depts?: readonly Dept[]
  readonly off?: 'disabled' | 'deleted'
}
const poolsFor = (entity: Pool['entity']): readonly Pool[] => [
  { id: `${entity}-all`, entity, all: true },
  { id: `${entity}-u2`, entity, users: ['u2'] },
  { id: `${entity}-a3`, entity, admins: ['u3'] },
  { id: `${entity}-d2`, entity, depts: ['d2'] },
  { id: `${entity}-off`, entity, all: true, off: 'disabled' },
  { id: `${entity}-gone`, entity, all: true, off: 'deleted' },
]
const POOLS: readonly Pool[] = POOLED.flatMap(poolsFor)
/** The rights of a tenant's own module, and its pools. */
export const OWN = 'm.visit'
export const OWN_POOLS: readonly Pool[] = poolsFor(OWN)
export interface Row {
  readonly entity: OwnedEntity
  readonly id: string
  readonly tenant: 't1' | 't2'
  readonly owner: string | null
  readonly dept: Dept | null
  readonly pool?: string
  readonly deleted?: boolean
  /** Of a contract: the current approvers, and all previous ones. */
  readonly approver?: string
  readonly approvers?: readonly string[]
  readonly customer?: string
}
const owners = Object.entries(PEOPLE)
export const ROWS: readonly Row[] = ENTITIES.flatMap((entity): Row[] => {
  const row = (name: string, more: Partial<Row>): Row => ({
    entity,
    id: `${entity}-${name}`,
    tenant: 't1',
    owner: null,
    dept: null,
    ...(entity === 'bussiness' || entity === 'contract' ? { customer: 'customer-of-u1' } : {}),
    ...more,
  })
  return [
    ...owners.map(([owner, { dept }]) => row(`of-${owner}`, { owner, dept })),
    row('moved', { owner: 'u4', dept: 'd3' }),
    row('deleted', { owner: 'u1', dept: 'd1', deleted: true }),
    row('foreign', { tenant: 't2', owner: 'x1', customer: 'customer-foreign' }),
    ...(entity === 'contract'
      ? [
          row('decided-by-u3', { owner: 'u4', dept: 'd4', approver: 'u3' }),
          row('was-decided-by-u3', { owner: 'u4', dept: 'd4', approvers: ['u5', 'u3'] }),
          row('u3-sold', { owner: 'u3', dept: 'd3', customer: 'customer-of-u4' }),
          row('u3-lost', { owner: 'u3', dept: 'd3', customer: 'customer-of-u6', deleted: true }),
        ]
      : POOLS.filter((pool) => pool.entity === entity).map(({ id }) => row(`in-${id}`, { pool: id }))),
    ...(entity === 'bussiness'
      ? [row('u2-sells', { owner: 'u2', dept: 'd2', customer: 'customer-of-u6' })]
      : []),
    // u3 has a contract with the customer of the same id.
    ...(entity === 'lead' ? [row('', { id: 'customer-of-u4', owner: 'u4', dept: 'd4' })] : []),
  ]
})
/** Shares of records: entity, id, person, level, and duration. */
const SHARED = [...ENTITIES, OWN].flatMap((entity) => [
  { entity, id: `${entity}-of-u4`, user: 'u3', level: 'read', until: null },
  { entity, id: `${entity}-of-u6`, user: 'u3', level: 'write', until: 'future' },
  { entity, id: `${entity}-of-u1`, user: 'u3', level: 'write', until: 'past' },
  { entity, id: `${entity}-of-u7`, user: 'u5', level: 'write', until: null },
])

/* ---- what DOMAIN 2.2 and 2.4 say, person by person ---- */

const below = (user: string): ReadonlySet<string> => {
  const found = new Set([user])
  for (let before = 0; before !== found.size; ) {
    before = found.size
    for (const [id, { above }] of owners) if (above !== null && found.has(above)) found.add(id)
  }
  return found
}
export interface Who {
  readonly user: string
  readonly scope: DataScope
  readonly chosen: readonly Dept[]
}
const deptsOf = ({ user, scope, chosen }: Who): readonly Dept[] => {
  const own = PEOPLE[user]?.dept ?? null
  if (scope === 'dept') return own === null ? [] : [own]
  if (scope === 'dept_custom') return chosen
  if (scope !== 'dept_sub' || own === null) return []
  return (Object.keys(DEPTS) as Dept[]).filter((dept) => DEPTS[dept].startsWith(DEPTS[own]))
}
export const inScope = (who: Who, { owner, dept }: Pick<Row, 'owner' | 'dept'>): boolean => {
  if (owner === null) return false
  if (who.scope === 'all' || owner === who.user) return true
  if (who.scope === 'self_sub') return below(who.user).has(owner)
  return dept !== null && deptsOf(who).includes(dept)
}
export const isLiving = ({ tenant, deleted }: Row): boolean => tenant === 't1' && deleted !== true
export const isSharedWithMe = (
  { user }: Who,
  row: { readonly entity: string; readonly id: string },
  levels: readonly string[],
): boolean =>
  SHARED.some(
    (one) =>
      one.entity === row.entity &&
      one.id === row.id &&
      one.user === user &&
      levels.includes(one.level) &&
      one.until !== 'past',
  )
const soldByMe = ({ user }: Who, { id }: Row): boolean =>
  ROWS.some((row) => row.customer === id && row.owner === user && isLiving(row))
const decides = ({ user }: Who, { approver, approvers = [] }: Row): boolean =>
  approver === user || approvers.includes(user)
export const mayLookInto = (
  { user }: Who,
  { all, users = [], admins = [], depts = [], off }: Pool,
): boolean =>
  off === undefined &&
  (all === true ||
    users.includes(user) ||
    admins.includes(user) ||
    depts.some((dept) => dept === PEOPLE[user]?.dept))
const isInMyPool = (who: Who, { pool }: Row): boolean =>
  POOLS.some((one) => one.id === pool && mayLookInto(who, one))
export const seenOwned = (who: Who, row: Row): boolean =>
  isLiving(row) &&
  row.owner !== null &&
  (inScope(who, row) ||
    isSharedWithMe(who, row, ['read', 'write']) ||
    (row.entity === 'customer' && soldByMe(who, row)) ||
    (row.entity === 'contract' && decides(who, row)))
export const seen = (who: Who, row: Row): boolean =>
  seenOwned(who, row) || (isLiving(row) && isInMyPool(who, row))

/* ---- the same, asked of the database ---- */

const ALL_RIGHTS = new Set([
  ...ENTITIES.map((entity) => `${entity}:edit`),
  ...POOLED.map((entity) => `${entity}_pool:view`),
  `${OWN}:pool`,
])
export const callerOf = (
  { user, scope, chosen }: Who,
  permissions: ReadonlySet<string> = ALL_RIGHTS,
): Caller => {
  const dept = PEOPLE[user]?.dept ?? null
  return {
    tenantId: 't1',
    userId: user,
    deptId: dept,
    deptPath: dept === null ? null : DEPTS[dept],
    scopes: { default: scope },
    customDepts: { default: chosen },
    permissions,
    fieldRights: {},
  } as unknown as Caller
}
export const WHO: readonly Who[] = ['u2', 'u3', 'u5', 'u7'].flatMap((user) =>
  DATA_SCOPES.map((scope): Who => ({ user, scope, chosen: ['d3', 'd4', 'd3'] })),
)

type Same = (what: string, who: Who, got: readonly unknown[], want: readonly unknown[]) => void

/** Questions about one person, put to the database in one statement. */
function questions(trx: Trx, who: Who, same: Same) {
  const wanted = new Map<string, readonly string[]>()
  const conditions = new Map<string, RawBuilder<unknown>[]>()
  const lists: RawBuilder<unknown>[] = []
  return {
    /** Rows of an entity for which a condition holds, or how often it counts each. */
    rows(entity: OwnedEntity, what: string, where: RawBuilder<unknown>, test: (row: Row) => boolean): void {
      const name = `${what} ${entity}`
      wanted.set(
        name,
        ROWS.filter((row) => row.entity === entity && test(row)).map(({ id }) => id),
      )
      conditions.set(entity, [...(conditions.get(entity) ?? []), asNumber(name, where)])
    },
    /** The ids that a query finds. */
    list(what: string, query: RawBuilder<unknown>, want: readonly string[]): void {
      wanted.set(what, want)
      lists.push(sql`select ${what}::text as what, id::text, 1 as n from (${query}) as found(id)`)
    },
    async check(): Promise<void> {
      const asked = [...conditions].map(
        ([entity, numbers]) => sql`select told.what, r.id, told.n from ${sql.table(entity)} r,
          lateral (values ${sql.join(numbers)}) as told(what, n)`,
      )
      const { rows } = await sql<Counted>`${sql.join([...lists, ...asked], sql` union all `)}`.execute(trx)
      for (const [what, want] of wanted) same(what, who, countedIds(rows, what), want)
    },
  }
}

/** How many times a row was counted by a condition. */
export interface Counted {
  readonly what: string
  readonly id: string
  readonly n: number
}
export const asNumber = (what: string, where: RawBuilder<unknown>) =>
  sql`(${what}::text, coalesce((${where})::int, 0))`
export const countedIds = (rows: readonly Counted[], what: string): readonly string[] =>
  rows.flatMap((row) => (row.what === what ? Array<string>(row.n).fill(row.id) : []))

/** The number of parts that a row is in. */
export const inParts = (parts: readonly OwnedPart[]): RawBuilder<unknown> =>
  sql.join(
    parts.map(({ where }) => sql`coalesce((${where})::int, 0)`),
    sql` + `,
  )

/** All differences between rule and database; empty if they agree. */
export async function differences(trx: Trx): Promise<readonly string[]> {
  const found: string[] = []
  const same = (what: string, who: Who, got: readonly unknown[], want: readonly unknown[]): void => {
    const [left, right] = [got, want].map((list) => JSON.stringify([...list].map(String).sort()))
    if (left !== right) found.push(`${what} of ${who.user} in ${who.scope}: ${left}, not ${right}`)
  }
  for (const who of WHO) {
    const plain = callerOf(who)
    const ctx = { trx, caller: plain } as unknown as CallContext
    const quick = (await withReach(ctx, true)).caller
    const again = await withReach({ ...ctx, caller: quick }, true)
    if (again.caller !== quick) found.push('what was looked up is looked up again')
    const alone = await withReach(ctx)
    if (alone.caller.reach?.team !== undefined) found.push('a team that nobody asked for')
    if ((await withReach(alone)) !== alone) found.push('what was looked up is looked up again')
    for (const caller of [plain, quick]) {
      const { rows: tell, list, check } = questions(trx, who, same)
      for (const entity of ENTITIES) {
        tell(entity, 'visible', isVisible(caller, entity, 'r'), (row) => seen(who, row))
        tell(entity, 'owned', isVisibleOwned(caller, entity, 'r'), (row) => seenOwned(who, row))
        tell(entity, 'shipped', isShippedVisible(caller, entity, 'r'), (row) => seen(who, row))
        tell(entity, 'listed', isShippedListed(caller, entity, 'r'), (row) => seenOwned(who, row))
        tell(entity, 'own', isOwn(caller, 'r'), (row) => isLiving(row) && row.owner === who.user)
        tell(entity, 'live', isLive(caller, 'r'), isLiving)
        tell(
          entity,
          'writable',
          sql<boolean>`(${isWritable(caller, entity, 'r')} and ${isLive(caller, 'r')})`,
          (row) =>
            isLiving(row) && row.owner !== null && (inScope(who, row) || isSharedWithMe(who, row, ['write'])),
        )
        tell(entity, 'without the right', isWritable(callerOf(who, new Set()), entity, 'r'), () => false)
        tell(entity, 'by another right', isWritable(caller, entity, 'r', 'customer:other'), () => false)
        tell(
          entity,
          'in scope',
          sql<boolean>`(${isInScope(caller, entity, 'r')} and ${isLive(caller, 'r')})`,
          (row) => isLiving(row) && inScope(who, row),
        )
        const parts = ownedParts(caller, entity, 'r')
        if (parts !== null) {
          // Approvers of a contract are queried separately from its parts (modules/follows/list-spec.ts).
          tell(entity, 'parts', inParts(parts), (row) =>
            seenOwned(who, { ...row, approver: '', approvers: [] }),
          )
          for (const part of parts) {
            if (part.by === 'owner' && part.without.length > 0) found.push('an own part without people')
            if (part.by === 'owner' && part.hasOthers !== (part.holder !== who.user))
              found.push('others in an own part')
            if (part.by !== 'owner' && (!part.hasOthers || !part.without.includes(who.user)))
              found.push(`${part.by} of ${who.user}`)
            if (part.tenantId !== 't1') found.push('a part of another tenant')
          }
        }
        const isLooked = who.scope === 'self_sub' || who.scope === 'dept_sub'
        if ((parts === null) !== (who.scope === 'all' || (caller === plain && isLooked)))
          found.push(`parts of ${who.scope}`)
      }
      for (const entity of POOLED) {
        const mine = POOLS.filter((pool) => pool.entity === entity && mayLookInto(who, pool)).map(
          ({ id }) => id,
        )
        list(`pools ${entity}`, poolsOf(caller, entity), mine)
        if (caller === quick) same(`known pools ${entity}`, who, quick.reach?.pools[entity] ?? [], mine)
        for (const [nth, pools] of [mine.slice(0, 1), mine, []].entries())
          tell(
            entity,
            `in pools ${nth}`,
            isInPools(caller, 'r', pools),
            (row) => isLiving(row) && pools.includes(row.pool ?? ''),
          )
        tell(entity, 'without pools', isVisible(callerOf(who, new Set()), entity, 'r'), (row) =>
          seenOwned(who, row),
        )
      }
      const members = Object.entries(PEOPLE).filter(
        ([id, { dept }]) =>
          who.scope === 'all' ||
          id === who.user ||
          (who.scope === 'self_sub' ? below(who.user).has(id) : dept !== null && deptsOf(who).includes(dept)),
      )
      list(
        'members',
        membersInScope(caller, 'customer'),
        members.map(([id]) => id),
      )
      if (caller === quick)
        same(
          'team',
          who,
          quick.reach?.team ?? ['all'],
          who.scope === 'all' ? ['all'] : members.map(([id]) => id),
        )
      same('departments', who, departmentsInScope(quick, 'customer', quick.reach), [...new Set(deptsOf(who))])
      list('chain', subordinates(caller), [...below(who.user)])
      list('sold', customersOfMine(caller), [
        ...new Set(
          ROWS.filter((row) => row.owner === who.user && isLiving(row)).flatMap(
            ({ customer }) => customer ?? [],
          ),
        ),
      ])
      for (const levels of [['read'], ['write'], ['read', 'write']] as const)
        list(
          `shared ${levels}`,
          sharedWith(caller, 'lead', levels),
          ROWS.filter((row) => row.entity === 'lead' && isSharedWithMe(who, row, levels)).map(({ id }) => id),
        )
      tell('contract', 'decided', isApprover(caller, 'r'), (row) => decides(who, row))
      same('plainly', who, [needsNoLookup(caller)], [who.scope !== 'self_sub' && who.scope !== 'dept_sub'])
      await check()
    }
    same(
      'reached customers',
      who,
      [
        ...accessibleIds(
          quick.reach ?? {
            shared: [],
            customers: [],
            pools: { customer: [], lead: [], bussiness: [] },
            departments: [],
            people: [],
          },
          'customer',
        ),
      ],
      ROWS.filter(
        (row) =>
          row.entity === 'customer' &&
          (isSharedWithMe(who, row, ['read', 'write']) ||
            (soldByMe(who, row) && isLiving(row) && !inScope(who, row))),
      ).map(({ id }) => id),
    )
  }
  const [first] = WHO
  if (first !== undefined) {
    const caller = callerOf(first)
    const { list, check } = questions(trx, first, same)
    list('below', departmentsBelow(caller, DEPTS.d2), ['d2', 'd3'])
    await check()
    const all = singlePart(caller, null, sql<boolean>`true`)
    if (!all.hasOthers || singlePart(caller, 'u1', sql<boolean>`true`).hasOthers || all.by !== 'owner')
      found.push('a whole part')
    const reach = {
      departments: Array.from({ length: 40 }, (_, i) => `d${i}`),
      people: [],
      customers: [],
      pools: { customer: [], lead: [], bussiness: [] },
      shared: [],
    }
    const wide = (n: number) =>
      ownedParts(
        {
          ...callerOf({ ...first, scope: 'dept_sub' }),
          reach: { ...reach, departments: reach.departments.slice(0, n) },
        },
        'lead',
        'r',
      )
    const known = (scope: DataScope, people: number) =>
      ownedParts(
        {
          ...callerOf({ ...first, scope }),
          reach: { ...reach, people: Array.from({ length: people }, (_, i) => `p${i}`) },
        },
        'lead',
        'r',
      )?.length ?? 'none'
    same(
      'parts of people and of departments by steps',
      first,
      [...[3, 4, 39, 40].map((n) => known('self_sub', n)), known('dept_custom', 0), known('dept', 0)],
      [5, 13, 41, 'none', 6, 3],
    )
    same(
      'parts by steps',
      first,
      [3, 4, 5, 12, 13, 39, 40].map((n) => wide(n)?.length ?? 'none'),
      [6, 6, 14, 14, 42, 42, 'none'],
    )
  }
  return found
}

/** Adds rows to a table. */
export async function addRows(
  trx: Trx,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  for (const row of rows) {
    const names = Object.keys(row)
    await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      values (${sql.join(names.map((name) => sql`${row[name]}`))})`.execute(trx)
  }
}

/** The company in an empty database. */
export async function fillCompany(trx: Trx): Promise<void> {
  const add = (table: string, rows: readonly Readonly<Record<string, unknown>>[]) => addRows(trx, table, rows)
  await add(
    'tenant',
    ['t1', 't2'].map((id) => ({ id, code: id, name: id })),
  )
  await add(
    'app_user',
    [...Object.keys(PEOPLE), 'x1'].map((id) => ({ id, account: id, password_hash: 'x' })),
  )
  await add(
    'department',
    Object.entries(DEPTS).map(([id, path]) => ({ tenant_id: 't1', id, name: id, path })),
  )
  await add('department', [{ tenant_id: 't2', id: 'd2', name: 'd2', path: '/d1/d2/' }])
  await add(
    'membership',
    Object.entries(PEOPLE).map(([user_id, { dept }]) => ({
      tenant_id: 't1',
      user_id,
      name: user_id,
      dept_id: dept,
    })),
  )
  await add('membership', [{ tenant_id: 't2', user_id: 'x1', name: 'x1', dept_id: 'd2' }])
  for (const [id, { above }] of owners)
    await sql`update membership set supervisor_id = ${above} where tenant_id = 't1' and user_id = ${id}`.execute(
      trx,
    )
  await add(
    'pool',
    [...POOLS, ...OWN_POOLS].map(({ id, entity, all = false, users = [], admins = [], depts = [], off }) => ({
      tenant_id: 't1',
      id,
      entity,
      name: id,
      member_all: all,
      member_user_ids: [...users],
      admin_user_ids: [...admins],
      member_dept_ids: [...depts],
      enabled: off !== 'disabled',
      deleted_at: off === 'deleted' ? new Date() : null,
    })),
  )
  const found = { search_text: 'x', search_tokens: [], py: 'x', py_initial: 'x' }
  await add(
    'customer',
    ROWS.filter(({ entity }) => entity === 'customer').map((row) => ({
      ...common(row),
      ...found,
      name_norm: row.id,
      customer_no: row.id,
      pool_id: row.pool ?? null,
    })),
  )
  await add(
    'lead',
    ROWS.filter(({ entity }) => entity === 'lead').map((row) => ({
      ...common(row),
      ...found,
      name_norm: row.id,
      wechat: row.id,
      pool_id: row.pool ?? null,
    })),
  )
  await add(
    'bussiness',
    ROWS.filter(({ entity }) => entity === 'bussiness').map((row) => ({
      ...common(row),
      ...found,
      name_norm: row.id,
      bussiness_no: row.id,
      customer_id: row.customer,
      amount: 1,
      expected_date: '2026-01-01',
      stage_id: 's1',
      pool_id: row.pool ?? null,
    })),
  )
  await add(
    'contract',
    ROWS.filter(({ entity }) => entity === 'contract').map((row) => ({
      ...common(row),
      contract_no: row.id,
      customer_id: row.customer,
      type: '1',
      amount: 1,
      stat_amount: 1,
      sign_date: '2026-01-01',
      approver_id: row.approver ?? null,
      approver_ids: [...(row.approvers ?? [])],
    })),
  )
  await add(
    'collaborator',
    SHARED.map(({ entity, id, user, level, until }) => ({
      tenant_id: 't1',
      entity,
      record_id: id,
      user_id: user,
      level,
      expire_at: until === null ? null : new Date(Date.now() + (until === 'past' ? -1 : 1) * 3_600_000),
    })),
  )
}

const common = ({ id, tenant, owner, dept, deleted }: Row) => ({
  tenant_id: tenant,
  id,
  name: id,
  owner_id: owner,
  owner_dept_id: tenant === 't2' ? 'd2' : dept,
  deleted_at: deleted === true ? new Date() : null,
})
