import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../../src/server/kernel/auth/caller.ts'
import type { CallContext } from '../../../src/server/kernel/context/call-context.ts'
import type { Trx } from '../../../src/server/kernel/db/database.ts'
import {
  isInOwnPool,
  isOwnInScope,
  isOwnRestorable,
  isOwnSearchable,
  isOwnVisible,
  isOwnWritable,
  ownModuleParts,
} from '../../../src/server/kernel/visibility/own-module.ts'
import { withReach } from '../../../src/server/kernel/visibility/reach.ts'
import { isShippedListed, isShippedVisible } from '../../../src/server/kernel/visibility/shipped.ts'
import {
  asNumber,
  type Counted,
  callerOf,
  countedIds,
  inParts,
  inScope,
  isLiving,
  isSharedWithMe,
  mayLookInto,
  OWN,
  OWN_POOLS,
  PEOPLE,
  ROWS,
  seen,
  seenOwned,
  WHO,
  type Who,
} from './seen-rows.ts'

type Module = Parameters<typeof isOwnVisible>[1]

/** What a module may say of the owners of its records. */
const MODULES: readonly Module['behaviours'][] = [
  [],
  ['owned'],
  ['owned', 'team'],
  ['owned', 'pool'],
  ['owned', 'team', 'pool'],
]

interface OwnRow {
  readonly id: string
  readonly module: string
  readonly owner: string | null
  readonly dept: (typeof PEOPLE)[string]['dept']
  readonly pool: string | null
  readonly gone: boolean
}

/** Records of the module `visit`, and of another. */
const OWN_ROWS: readonly OwnRow[] = [false, true].flatMap((gone): OwnRow[] => {
  const row = (id: string, more: Partial<OwnRow>): OwnRow => ({
    id: `${OWN}-${id}${gone ? '-gone' : ''}`,
    module: 'visit',
    owner: null,
    dept: null,
    pool: null,
    gone,
    ...more,
  })
  return [
    ...Object.entries(PEOPLE).map(([owner, { dept }]) => row(`of-${owner}`, { owner, dept })),
    ...OWN_POOLS.map(({ id }) => row(`in-${id}`, { pool: id })),
    row('stray', { owner: 'u4', dept: 'd4', pool: `${OWN}-all` }),
    row('of-nobody', {}),
    row('other', { module: 'other', owner: 'u2', dept: 'd2' }),
    row('other-in-pool', { module: 'other', pool: `${OWN}-all` }),
  ]
})
const TABLE = sql`(${sql.join(
  OWN_ROWS.map(
    ({ id, module, owner, dept, pool, gone }) => sql`select ${id}::text as id, ${module}::text as module,
      't1'::text as tenant_id, ${owner}::text as owner_id, ${dept}::text as owner_dept_id, ${pool}::text as pool_id,
      ${gone ? new Date() : null}::timestamptz as deleted_at`,
  ),
  sql` union all `,
)}) r`

/** A condition, and the rows for which it must hold. */
interface Told {
  readonly what: string
  readonly where: RawBuilder<unknown>
  readonly holds: (row: OwnRow) => boolean
}

/** Everything in which the rules of own modules and the database differ. */
export async function ownDifferences(trx: Trx): Promise<readonly string[]> {
  const { found, same } = differing()
  for (const [who, caller] of await callers(trx)) {
    const told = MODULES.flatMap((behaviours) => toldOf({ name: 'visit', behaviours }, who, caller, found))
    const { rows } = await sql<Counted>`select told.what, r.id, told.n
      from ${TABLE}, lateral (values ${sql.join(told.map(({ what, where }) => asNumber(what, where)))}) as told(what, n)`.execute(
      trx,
    )
    for (const { what, holds } of told)
      same(
        what,
        who,
        countedIds(rows, what),
        OWN_ROWS.filter(holds).map(({ id }) => id),
      )
  }
  return found
}

function toldOf(module: Module, who: Who, caller: Caller, found: string[]): readonly Told[] {
  const says = (behaviour: 'owned' | 'team' | 'pool') => module.behaviours.includes(behaviour)
  const isShared = (row: OwnRow, levels: readonly string[]) =>
    says('team') && isSharedWithMe(who, { entity: OWN, id: row.id }, levels)
  const isAnybodys = !says('owned') || (who.scope === 'all' && !says('pool'))
  const reached = (row: OwnRow, levels: readonly string[]) =>
    row.module === 'visit' && (isAnybodys || inScope(who, row) || isShared(row, levels))
  const inPool = ({ module: of, owner, pool }: OwnRow) =>
    says('pool') &&
    of === 'visit' &&
    owner === null &&
    OWN_POOLS.some((one) => one.id === pool && mayLookInto(who, one))
  const visible = (row: OwnRow) => !row.gone && reached(row, ['read', 'write'])
  const told = (what: string, where: RawBuilder<unknown>, holds: Told['holds']): Told => ({
    what: `${what} ${module.behaviours}`,
    where,
    holds,
  })
  const parts = ownModuleParts(caller, module, 'r', { id: 'id' })
  const isLooked = who.scope === 'self_sub' || who.scope === 'dept_sub'
  if ((parts === null) !== (who.scope === 'all' || (caller.reach === undefined && isLooked)))
    found.push(`own parts of ${who.scope}`)
  return [
    told('visible', isOwnVisible(caller, module, 'r'), visible),
    told('found', isOwnSearchable(caller, module, 'r'), (row) => visible(row) || (!row.gone && inPool(row))),
    told('in scope', isOwnInScope(caller, module, 'r'), (row) => reached(row, [])),
    told('writable', isOwnWritable(caller, module, 'r'), (row) => reached(row, ['write'])),
    told('in a pool', isInOwnPool(caller, module, 'r'), inPool),
    told('in a pool without the right', isInOwnPool(callerOf(who, new Set()), module, 'r'), () => false),
    told('restorable', isOwnRestorable(caller, module, 'r'), (row) => reached(row, []) || inPool(row)),
    ...(parts === null
      ? []
      : [
          told('in parts', inParts(parts), (row) =>
            row.module === 'visit'
              ? !row.gone && row.owner !== null && (inScope(who, row) || isShared(row, ['read', 'write']))
              : // The parts leave the module to the list.
                !row.gone && inScope(who, row),
          ),
        ]),
  ]
}

/** Everything in which the rules of contacts, payments and other records of the product differ from the database. */
export async function partnerDifferences(trx: Trx): Promise<readonly string[]> {
  const { found, same } = differing()
  for (const [who, caller] of await callers(trx)) {
    const tell = async (
      what: string,
      table: RawBuilder<unknown>,
      where: RawBuilder<boolean>,
      want: readonly string[],
    ) => {
      const { rows } = await sql<{ id: string }>`select r.id from (${table}) r where ${where}`.execute(trx)
      same(
        what,
        who,
        rows.map(({ id }) => id),
        want,
      )
    }
    const of = (entity: string, test: (row: (typeof ROWS)[number]) => boolean) =>
      ROWS.filter((row) => row.entity === entity && test(row)).map(({ id }) => id)
    const contacts = sql`select 'of ' || id as id, id as customer_id, tenant_id, owner_id, owner_dept_id, deleted_at from customer`
    const theirs = of('customer', (row) => seenOwned(who, row)).map((id) => `of ${id}`)
    await tell('contacts', contacts, isShippedVisible(caller, 'contact', 'r'), theirs)
    await tell('listed contacts', contacts, isShippedListed(caller, 'contact', 'r'), theirs)
    const living = of('customer', isLiving)
    for (const name of ['product', 'customers'])
      await tell(name, sql`select * from customer`, isShippedVisible(caller, name, 'r'), living)
    await tell(
      'listed products',
      sql`select * from customer`,
      isShippedListed(caller, 'product', 'r'),
      living,
    )

    // The payments of each contract: one that was deleted, and one that others decide on.
    const payments = sql`select n || ' of ' || id as id, id as contract_id, tenant_id,
      case when n = 'gone' then now() end as deleted_at, case when n = 'decided' then 'u3' end as approver_id,
      case when n = 'was decided' then array['u5', 'u2'] else '{}' end as approver_ids
      from contract, unnest(array['plain', 'gone', 'decided', 'was decided']) n`
    const ofContracts = (n: string, test: (row: (typeof ROWS)[number]) => boolean) =>
      of('contract', (row) => row.tenant === 't1' && test(row)).map((id) => `${n} of ${id}`)
    const decides = (...people: string[]) => people.includes(who.user)
    await tell('listed payments', payments, isShippedListed(caller, 'payment', 'r'), [
      ...ofContracts('plain', (row) => seen(who, row)),
      ...ofContracts('decided', (row) => decides('u3') || seen(who, row)),
      ...ofContracts('was decided', (row) => decides('u5', 'u2') || seen(who, row)),
    ])
    await tell('payments', payments, isShippedVisible(caller, 'payment', 'r'), [
      ...ofContracts('plain', () => true),
      ...ofContracts('decided', () => true),
      ...ofContracts('was decided', () => true),
    ])
  }
  return found
}

/** Each person in each scope, before and after their rights were looked up. */
async function callers(trx: Trx): Promise<readonly (readonly [Who, Caller])[]> {
  const all: (readonly [Who, Caller])[] = []
  for (const who of WHO) {
    const plain = callerOf(who)
    all.push([who, plain], [who, (await withReach({ trx, caller: plain } as unknown as CallContext)).caller])
  }
  return all
}

function differing() {
  const found: string[] = []
  return {
    found,
    same(what: string, who: Who, got: readonly string[], want: readonly string[]): void {
      const [left, right] = [got, want].map((list) => JSON.stringify([...list].sort()))
      if (left !== right) found.push(`${what} of ${who.user} in ${who.scope}: ${left}, not ${right}`)
    },
  }
}
