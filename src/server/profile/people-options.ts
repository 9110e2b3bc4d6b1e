import { sql } from 'kysely'
import type { Asking } from '../records/asking.ts'

/** What a member picker asks for. */
export interface PeopleQuery {
  /** Part of the name, or the beginning of its pinyin. */
  readonly keyword: string
  readonly deptId: string | null
  /** `team`: the caller's department and those below; `sub`: who reports to him. */
  readonly scope: 'all' | 'team' | 'sub'
  /** Only who holds this permission. */
  readonly may: string | null
  readonly withoutMe: boolean
  /** Exactly these, whoever they are by now, for the labels of stored ids. */
  readonly ids: readonly string[] | null
}

const MOST = 50

/** GET /mini/user/options (CRM 8.2): rows of a member picker, colleagues who work here only, by pinyin. */
export async function peopleOptions(query: PeopleQuery, { trx, caller }: Asking) {
  const { keyword, deptId, scope, may, withoutMe, ids } = query
  const wanted = keyword.trim().toLowerCase()
  const mine =
    scope === 'team'
      ? sql<boolean>`(d.path = ${caller.deptPath} or starts_with(d.path, ${caller.deptPath}))`
      : sql<boolean>`(${scope === 'all'} or m.supervisor_id = ${caller.userId})`
  const right = JSON.stringify([may ?? ''])
  const { rows } = await sql<Person>`
    select m.user_id as id, m.name, m.avatar, m.position, coalesce(d.name, '') as dept, m.py as pinyin,
      m.status <> 'enabled' as disabled
    from membership m left join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
    where m.tenant_id = ${caller.tenantId} and m.deleted_at is null
      and ${
        ids === null
          ? sql<boolean>`(m.status = 'enabled' and (position(${wanted} in lower(m.name)) > 0 or starts_with(m.py, ${wanted}))
            and (${deptId}::text is null or m.dept_id = ${deptId}) and ${mine}
            and (not ${withoutMe} or m.user_id <> ${caller.userId})
            and (${may}::text is null or exists (select 1 from role_assignment a
              join role r on r.tenant_id = a.tenant_id and r.id = a.role_id
              where a.tenant_id = m.tenant_id and a.user_id = m.user_id and r.deleted_at is null
                and (r.permissions @> '["*"]'::jsonb or r.permissions @> ${right}::jsonb))))`
          : sql<boolean>`m.user_id = any(${[...ids]}::text[])`
      }
    order by m.py, m.user_id limit ${MOST}`.execute(trx)
  return {
    list: rows.map(({ position, ...row }) => ({
      ...row,
      value: row.id,
      label: row.name,
      desc: [row.dept, position].filter((it) => it !== '').join(' · '),
    })),
  }
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
