import { type RawBuilder, sql } from 'kysely'
import type { DuplicateAnswer, DuplicateItem, DuplicateMatch } from '../../../contract/duplicate.ts'
import type { Asking } from '../asking/asking.ts'
import { dateTimeText } from '../time/zone.ts'
import { isVisible } from '../visibility/predicate.ts'
import { maskName } from '../words/mask.ts'
import { normaliseName } from '../words/normalise-name.ts'
import { normalisePhones } from '../words/normalise-phone.ts'
import { SIMILAR_FROM, similarity, tellingGrams } from '../words/similar-names.ts'
import { websiteHost } from '../words/website-host.ts'

/** What a record is compared by; all records of the tenant are looked at, also pools and other people's. */
export interface Likeness {
  /** What is being made; nothing blocks a lead (DOMAIN 1.4). Default: a customer. */
  readonly entity?: 'customer' | 'lead' | 'contact'
  readonly name?: string | null
  readonly phones: readonly (string | null | undefined)[]
  readonly creditCode?: string | null
  readonly website?: string | null
  readonly excludeId?: string | null
}

const ITEMS_MOST = 10
const CANDIDATES_MOST = 200
const BLOCKING: readonly DuplicateMatch[] = ['credit_code', 'name']
const SAME: readonly DuplicateMatch[] = [...BLOCKING, 'phone']
const STRENGTH: readonly DuplicateMatch[] = ['credit_code', 'name', 'phone', 'similar_name', 'website']

interface Row {
  module: DuplicateItem['module']
  id: string
  name: string
  name_norm: string
  credit_code: string | null
  website_host: string | null
  mobile_norm: string[]
  owner: string | null
  dept: string | null
  last_follow_at: Date | null
  visible: boolean
}

interface Compared {
  readonly nameNorm: string
  readonly phones: readonly string[]
  readonly creditCode: string | null
  readonly host: string | null
}

/** Looks for duplicates and shows no more of them than DOMAIN 1.1.3 allows. */
export async function findDuplicates(likeness: Likeness, asking: Asking): Promise<DuplicateAnswer> {
  const compared: Compared = {
    nameNorm: normaliseName(likeness.name ?? ''),
    phones: normalisePhones(likeness.phones),
    creditCode: likeness.creditCode?.toUpperCase() || null,
    host: websiteHost(likeness.website ?? null),
  }
  const { rows } = await sql<Row>`
    ${customersLike(compared, likeness.excludeId ?? null, asking)}
    union all ${contactsWith(compared, likeness.excludeId ?? null, asking)}
    union all ${leadsWith(compared, likeness.excludeId ?? null, asking)}`.execute(asking.trx)
  const found = rows
    .map((row) => ({ row, match: matchesOf(row, compared) }))
    .filter(({ match }) => match.length > 0)
    .sort((a, b) => strengthOf(a.match) - strengthOf(b.match))
  const isBlocked =
    likeness.entity !== 'lead' &&
    found.some(({ row, match }) => isCustomer(row) && match.some((it) => BLOCKING.includes(it)))
  return {
    level: levelOf(found.flatMap(({ match }) => match)),
    block: isBlocked,
    items: found.slice(0, ITEMS_MOST).map(({ row, match }) => itemOf(row, match, isBlocked, asking)),
  }
}

function customersLike(
  compared: Compared,
  excludeId: string | null,
  { caller }: Asking,
): RawBuilder<unknown> {
  // Each way has an index of its own; asked together with "or", none of them would answer.
  const ways = [
    sql`x.name_norm = ${compared.nameNorm}`,
    sql`x.mobile_norm && ${compared.phones}::text[]`,
    ...(compared.creditCode === null ? [] : [sql`x.credit_code = ${compared.creditCode}`]),
    ...(compared.host === null ? [] : [sql`x.website_host = ${compared.host}`]),
    sql`x.search_tokens && ${tellingGrams(compared.nameNorm)}::text[]`,
  ].map(
    (
      way,
    ) => sql`(select x.id from customer x where x.tenant_id = ${caller.tenantId} and x.deleted_at is null and ${way}
      limit ${CANDIDATES_MOST})`,
  )
  return sql`select case when c.owner_id is null then 'customer_pool' else 'customer' end as module, c.id, c.name,
      c.name_norm, c.credit_code, c.website_host, c.mobile_norm, o.name as owner, d.name as dept, c.last_follow_at,
      ${isVisible(caller, 'customer', 'c')} as visible
    from customer c ${ownerOf('c')}
    where c.tenant_id = ${caller.tenantId} and c.deleted_at is null and c.id is distinct from ${excludeId}
      and c.id = any(array(${sql.join(ways, sql` union all `)}))`
}

function contactsWith(compared: Compared, excludeId: string | null, { caller }: Asking): RawBuilder<unknown> {
  return sql`select 'contact' as module, c.id, c.name, '' as name_norm, null as credit_code, null as website_host,
      k.mobile_norm, o.name as owner, d.name as dept, c.last_follow_at, ${isVisible(caller, 'customer', 'c')} as visible
    from contact k join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id ${ownerOf('c')}
    where k.tenant_id = ${caller.tenantId} and k.deleted_at is null and k.mobile_norm && ${compared.phones}::text[]
      and c.id is distinct from ${excludeId}`
}

function leadsWith(compared: Compared, excludeId: string | null, { caller }: Asking): RawBuilder<unknown> {
  return sql`select case when l.owner_id is null then 'lead_pool' else 'lead' end as module, l.id, l.name,
      '' as name_norm, null as credit_code, null as website_host, l.mobile_norm, o.name as owner, d.name as dept,
      l.last_follow_at, ${isVisible(caller, 'lead', 'l')} as visible
    from lead l ${ownerOf('l')}
    where l.tenant_id = ${caller.tenantId} and l.deleted_at is null and l.status <> 40
      and l.id is distinct from ${excludeId} and l.mobile_norm && ${compared.phones}::text[]`
}

function ownerOf(row: string): RawBuilder<unknown> {
  const at = (name: string) => sql.ref(`${row}.${name}`)
  return sql`left join membership o on o.tenant_id = ${at('tenant_id')} and o.user_id = ${at('owner_id')}
    left join department d on d.tenant_id = ${at('tenant_id')} and d.id = ${at('owner_dept_id')}`
}

function matchesOf(row: Row, compared: Compared): readonly DuplicateMatch[] {
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

function isCustomer(row: Row): boolean {
  return row.module === 'customer' || row.module === 'customer_pool'
}

function itemOf(
  row: Row,
  match: readonly DuplicateMatch[],
  isBlocked: boolean,
  { caller, zone }: Asking,
): DuplicateItem {
  const isInPool = row.module.endsWith('_pool')
  const canClaim = row.visible && isInPool && caller.permissions.has(`${row.module}:claim`)
  const canOpen = row.visible && !isInPool
  return {
    module: row.module,
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
