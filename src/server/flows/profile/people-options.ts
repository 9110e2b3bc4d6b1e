import { type RawBuilder, sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { holdsRight } from '../../kernel/records/member.ts'

/** The request of a member picker. */
export interface PeopleQuery {
  /** Part of the name, or the beginning of its pinyin or of its initials. */
  readonly keyword: string
  /** A department and those below it. */
  readonly deptId: string | null
  /** `team`: the caller's department and those below; `sub`: who reports to them. */
  readonly scope: 'all' | 'team' | 'sub'
  /** Only who holds this permission, or one of several with commas between. */
  readonly may: string | null
  readonly withoutMe: boolean
  /** People who are already selected. */
  readonly without: readonly string[]
  /** `nextCursor` of the previous page. */
  readonly cursor: string | null
  readonly limit: number
  /** Exactly these people, active or not, for the labels of stored ids. */
  readonly ids: readonly string[] | null
}

/** GET /mini/user/options (DOMAIN 8.2): rows of a member picker, active colleagues only, by pinyin. */
export async function peopleOptions(query: PeopleQuery, ctx: CallContext) {
  const { trx, caller } = ctx
  const { ids, limit, cursor } = query
  const found = ids === null ? isOffered(query, ctx) : sql<boolean>`m.user_id = any(${[...ids]}::text[])`
  const { rows } = await sql<Person>`
    select m.user_id as id, m.name, m.avatar, m.position, coalesce(d.name, '') as dept, m.py as pinyin,
      m.status <> 'enabled' as disabled
    from membership m left join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
    where m.tenant_id = ${caller.tenantId} and m.deleted_at is null and ${found}
      and (${cursor}::text is null or (m.py, m.user_id) > (
        select c.py, c.user_id from membership c where c.tenant_id = ${caller.tenantId} and c.user_id = ${cursor}))
    order by m.py, m.user_id limit ${limit + 1}`.execute(trx)
  const page = rows.slice(0, limit)
  return {
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    hasMore: rows.length > limit,
    list: page.map(({ position, ...row }) => ({
      ...row,
      value: row.id,
      label: row.name,
      desc: [row.dept, position].filter((it) => it !== '').join(' · '),
    })),
  }
}

function isOffered(query: PeopleQuery, { caller }: CallContext): RawBuilder<boolean> {
  const { keyword, deptId, scope, may, withoutMe, without } = query
  const excluded = withoutMe ? [...without, caller.userId] : [...without]
  return sql<boolean>`m.status = 'enabled' and m.user_id <> all(${excluded}::text[]) and ${isNamed(keyword)}
    and (${deptId}::text is null or exists (select 1 from department a where a.tenant_id = m.tenant_id
      and a.id = ${deptId} and starts_with(d.path, a.path)))
    and ${
      scope === 'team'
        ? sql<boolean>`starts_with(d.path, ${caller.deptPath})`
        : sql<boolean>`(${scope === 'all'} or m.supervisor_id = ${caller.userId})`
    }
    and ${may === null ? sql<boolean>`true` : holdsAnyOf(may.split(','))}`
}

function holdsAnyOf(rights: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(
    rights.map((right) => holdsRight('m', right)),
    sql` or `,
  )})`
}

function isNamed(keyword: string): RawBuilder<boolean> {
  const wanted = keyword.trim().toLowerCase()
  const named = sql<boolean>`position(${wanted} in lower(m.name)) > 0 or starts_with(m.py, ${wanted})`
  if (!/^[a-z]{2,8}$/.test(wanted)) return sql<boolean>`(${named})`
  return sql<boolean>`(${named} or m.py ~ ${`^${[...wanted].map(syllable).join('')}`})`
}

/** A syllable of pinyin, found by its first letter. */
function syllable(letter: string): string {
  return /[aeo]/.test(letter) ? `${letter}[aeiou]*(ng?|r)?` : `${letter}h?[aeiouvü]+(ng?|r)?`
}

interface Person {
  readonly id: string
  readonly name: string
  readonly avatar: string
  readonly position: string
  readonly dept: string
  readonly pinyin: string
  readonly disabled: boolean
}
