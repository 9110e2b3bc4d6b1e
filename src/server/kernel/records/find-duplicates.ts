import { type RawBuilder, sql } from 'kysely'
import type { DuplicateAnswer, DuplicateItem, DuplicateMatch } from '../../../contract/duplicate.ts'
import type { CallContext } from '../context/call-context.ts'
import { dateTimeText } from '../time/zone.ts'
import { isVisible } from '../visibility/predicate.ts'
import { maskName } from '../words/mask.ts'
import { normaliseName } from '../words/normalise-name.ts'
import { normalisePhones } from '../words/normalise-phone.ts'
import { SIMILAR_FROM, selectiveGrams, similarity } from '../words/similar-names.ts'
import { websiteHost } from '../words/website-host.ts'

/** The criteria for duplicates; all records of the tenant are searched, including those in pools and of other people. */
export interface DuplicateCriteria {
  /** What is being created; nothing blocks a lead (DOMAIN 1.4). Default: a customer. */
  readonly entity?: 'customer' | 'lead' | 'contact'
  readonly name?: string | null
  readonly phones: readonly (string | null | undefined)[]
  readonly creditCode?: string | null
  readonly website?: string | null
  readonly excludeId?: string | null
}

/** The same before the values have been checked. */
type PostedLikeness = Pick<DuplicateCriteria, 'entity' | 'excludeId'> &
  Readonly<Partial<Record<'name' | 'creditCode' | 'website', unknown>>> & {
    readonly phones: readonly unknown[]
  }

const MAX_ITEMS = 10
const MAX_CANDIDATES = 200
const BLOCKING: readonly DuplicateMatch[] = ['credit_code', 'name']
const SAME: readonly DuplicateMatch[] = [...BLOCKING, 'phone']
const STRENGTH: readonly DuplicateMatch[] = ['credit_code', 'name', 'phone', 'similar_name', 'website']

/** What is compared: a customer by all criteria, contacts and leads by their numbers. */
interface DuplicateCount {
  readonly kind: 'customer' | 'contact' | 'lead'
  /** For a contact: its customer. */
  readonly id: string
  readonly name_norm: string
  readonly credit_code: string | null
  readonly website_host: string | null
  readonly mobile_norm: readonly string[]
}

/** A duplicate as shown to the user. */
interface Row {
  readonly kind: 'customer' | 'lead'
  readonly is_pooled: boolean
  readonly id: string
  readonly name: string
  readonly owner: string | null
  readonly dept: string | null
  readonly last_follow_at: Date | null
  readonly visible: boolean
}

interface Found {
  readonly module: DuplicateItem['module']
  readonly row: Row
  readonly match: readonly DuplicateMatch[]
}

interface Compared {
  readonly nameNorm: string
  readonly phones: readonly string[]
  readonly creditCode: string | null
  readonly host: string | null
}

/** Searches for duplicates and shows only what DOMAIN 1.1.3 allows. */
export async function findDuplicates(
  likeness: DuplicateCriteria,
  ctx: CallContext,
): Promise<DuplicateAnswer> {
  const compared = comparedOf(likeness)
  const alike = (await recordsAlike(compared, ctx))
    .map((one) => ({ ...one, match: matchesOf(one, compared) }))
    .filter(({ id, match }) => match.length > 0 && id !== likeness.excludeId)
  // Most records have no duplicate.
  if (alike.length === 0) return { level: 'none', block: false, items: [] }
  const rows = await rowsOf(alike, ctx)
  const found = alike
    .flatMap(({ kind, id, match }): Found[] => {
      const row = rows.get(`${kind === 'lead' ? 'lead' : 'customer'} ${id}`)
      return row === undefined ? [] : [{ module: moduleOf(kind, row), row, match }]
    })
    .sort((a, b) => strengthOf(a.match) - strengthOf(b.match))
  const isBlocked =
    likeness.entity !== 'lead' &&
    found.some(({ module, match }) => isCustomer(module) && match.some((it) => BLOCKING.includes(it)))
  return {
    level: levelOf(found.flatMap(({ match }) => match)),
    block: isBlocked,
    items: found.slice(0, MAX_ITEMS).map((one) => itemOf(one, isBlocked, ctx)),
  }
}

/** A longer posted text will not be stored. */
const MAX_POSTED = 200

/**
 * Searches for duplicates of posted values while these are being checked.
 *
 * @returns those of the values as parsed: the search is repeated if the checked values differ
 */
export function duplicatesOfPosted(
  { name, phones, creditCode, website, ...rest }: PostedLikeness,
  ctx: CallContext,
): (read: DuplicateCriteria) => Promise<DuplicateAnswer> {
  const textOf = (value: unknown) => (typeof value === 'string' && value.length <= MAX_POSTED ? value : null)
  const posted: DuplicateCriteria = {
    ...rest,
    name: textOf(name),
    phones: phones.map(textOf),
    creditCode: textOf(creditCode),
    website: textOf(website),
  }
  const found = findDuplicates(posted, ctx)
  // If the post is refused, the result is not needed.
  found.catch(() => undefined)
  const isSame = (read: DuplicateCriteria) =>
    JSON.stringify(comparedOf(read)) === JSON.stringify(comparedOf(posted))
  return (read) => (isSame(read) ? found : findDuplicates(read, ctx))
}

const comparedOf = ({ name, phones, creditCode, website }: DuplicateCriteria): Compared => ({
  nameNorm: normaliseName(name ?? ''),
  phones: normalisePhones(phones),
  creditCode: creditCode?.toUpperCase() || null,
  host: websiteHost(website ?? null),
})

/** All possible duplicates, each customer once (migration 0900). */
async function recordsAlike(
  { nameNorm, phones, creditCode, host }: Compared,
  { trx, caller }: CallContext,
): Promise<readonly DuplicateCount[]> {
  const { rows } =
    await sql<DuplicateCount>`select * from crm_alike(${caller.tenantId}, ${nameNorm}, ${[...phones]},
    ${creditCode}, ${host}, ${[...selectiveGrams(nameNorm)]}, ${MAX_CANDIDATES})`.execute(trx)
  const isFirst = (row: DuplicateCount, at: number) =>
    rows.findIndex(({ kind, id }) => kind === row.kind && id === row.id) === at
  return rows.filter((row, at) => row.kind !== 'customer' || isFirst(row, at))
}

async function rowsOf(
  alike: readonly DuplicateCount[],
  { trx, caller }: CallContext,
): Promise<ReadonlyMap<string, Row>> {
  const idsOf = (isLead: boolean) =>
    alike.flatMap(({ kind, id }) => ((kind === 'lead') === isLead ? [id] : []))
  const { rows } =
    await sql<Row>`select 'customer' as kind, ${shown('c')}, ${isVisible(caller, 'customer', 'c')} as visible
    from customer c ${ownerOf('c')} where c.tenant_id = ${caller.tenantId} and c.id = any(${idsOf(false)}::text[])
    union all select 'lead', ${shown('l')}, ${isVisible(caller, 'lead', 'l')}
    from lead l ${ownerOf('l')} where l.tenant_id = ${caller.tenantId} and l.id = any(${idsOf(true)}::text[])`.execute(
      trx,
    )
  return new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]))
}

function shown(row: string): RawBuilder<unknown> {
  const at = (name: string) => sql.ref(`${row}.${name}`)
  return sql`${at('owner_id')} is null as is_pooled, ${at('id')}, ${at('name')}, o.name as owner, d.name as dept,
    ${at('last_follow_at')}`
}

function ownerOf(row: string): RawBuilder<unknown> {
  const at = (name: string) => sql.ref(`${row}.${name}`)
  return sql`left join membership o on o.tenant_id = ${at('tenant_id')} and o.user_id = ${at('owner_id')}
    left join department d on d.tenant_id = ${at('tenant_id')} and d.id = ${at('owner_dept_id')}`
}

/** A contact stands for its customer, owned or in a pool. */
const moduleOf = (kind: DuplicateCount['kind'], { is_pooled }: Row): DuplicateItem['module'] =>
  kind === 'contact' || !is_pooled ? kind : `${kind}_pool`

function matchesOf(row: DuplicateCount, compared: Compared): readonly DuplicateMatch[] {
  const isSameName = compared.nameNorm !== '' && row.name_norm === compared.nameNorm
  const rules: Readonly<Record<DuplicateMatch, boolean>> = {
    credit_code: compared.creditCode !== null && row.credit_code === compared.creditCode,
    name: isSameName,
    phone: row.mobile_norm.some((phone) => compared.phones.includes(phone)),
    similar_name: !isSameName && similarity(row.name_norm, compared.nameNorm) >= SIMILAR_FROM,
    website: compared.host !== null && row.website_host === compared.host,
  }
  return STRENGTH.filter((match) => rules[match])
}

function strengthOf(match: readonly DuplicateMatch[]): number {
  return Math.min(...match.map((it) => STRENGTH.indexOf(it)))
}

function levelOf(matches: readonly DuplicateMatch[]): DuplicateAnswer['level'] {
  if (matches.length === 0) return 'none'
  return matches.some((match) => SAME.includes(match)) ? 'same' : 'similar'
}

function isCustomer(module: DuplicateItem['module']): boolean {
  return module === 'customer' || module === 'customer_pool'
}

function itemOf(
  { module, row, match }: Found,
  isBlocked: boolean,
  { caller, zone }: CallContext,
): DuplicateItem {
  const isInPool = module === 'customer_pool' || module === 'lead_pool'
  const canClaim = row.visible && isInPool && caller.permissions.has(`${module}:claim`)
  const canOpen = row.visible && !isInPool
  return {
    module,
    id: row.visible ? row.id : null,
    requestId: !row.visible && !isInPool ? row.id : null,
    name: row.visible ? row.name : maskName(row.name),
    masked: !row.visible,
    owner: row.owner,
    dept: row.dept,
    lastFollowAt: row.last_follow_at === null ? null : dateTimeText(row.last_follow_at, zone),
    match,
    level: match.some((it) => SAME.includes(it)) ? 'same' : 'similar',
    actions: [
      ...(canOpen ? (['view'] as const) : []),
      ...(canClaim ? (['claim'] as const) : []),
      ...(!row.visible && !isInPool ? (['request'] as const) : []),
      ...(isBlocked ? [] : (['create'] as const)),
    ],
  }
}
