import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { AdminUser, Holdings } from '../../../contract/admin.ts'
import type { RoleWords } from '../../kernel/auth/rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { readListRequest } from '../../kernel/lists/list-request.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isUndecided } from '../approvals/keep-going.ts'
import { givenId } from './input.ts'
import { grantsMoreTest, outranks } from './outranks.ts'

type Row = Omit<AdminUser, 'role_names' | 'last_used_at'> & {
  readonly roles: readonly string[]
  readonly last_used_at: Date | null
}

const FROM = sql`membership m left join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
  left join membership s on s.tenant_id = m.tenant_id and s.user_id = m.supervisor_id`
const COLUMNS = sql`m.user_id as id, crm_account_of(m.user_id) as account, m.name, m.mobile, m.email, m.avatar, m.employee_no,
  m.dept_id, d.name as dept_name, m.position, m.supervisor_id, s.name as supervisor_name, m.status, m.last_used_at, m.version,
  array(select r.id from role_assignment a join role r on r.tenant_id = a.tenant_id and r.id = a.role_id
    where a.tenant_id = m.tenant_id and a.user_id = m.user_id and r.deleted_at is null order by r.sort, r.id) as role_ids,
  array(select r.name from role_assignment a join role r on r.tenant_id = a.tenant_id and r.id = a.role_id
    where a.tenant_id = m.tenant_id and a.user_id = m.user_id and r.deleted_at is null order by r.sort, r.id) as roles`

const byStatus = (status: string) => ({ where: () => sql<boolean>`m.status = ${status}` })
const EMPLOYEE_NO = { column: 'employee_no', type: 'text', nullable: false } as const
const NAME = { column: 'py', type: 'text', nullable: false } as const

/** The cursor needs a column `id`; for a membership that is its user's. */
const USER_LIST: ListSpec = {
  entity: 'user',
  row: 'x',
  from: ({ caller }) => sql`(select m.*, m.user_id as id from membership m
    where m.tenant_id = ${caller.tenantId} and m.deleted_at is null) x
    join membership m on m.tenant_id = x.tenant_id and m.user_id = x.user_id
    left join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
    left join membership s on s.tenant_id = m.tenant_id and s.user_id = m.supervisor_id`,
  columns: () => COLUMNS,
  visible: ({ caller }) => sql<boolean>`x.tenant_id = ${caller.tenantId}`,
  filters: {
    dept_id: { kind: 'code', column: 'dept_id' },
    /** The department or one above it. */
    dept_path: {
      kind: 'codes',
      column: 'path',
      value: () => sql`string_to_array(trim('/' from d.path), '/')`,
    },
    status: { kind: 'code', column: 'status' },
    supervisor_id: { kind: 'code', column: 'supervisor_id' },
    name: { kind: 'text', column: 'name' },
  },
  sorts: { name: NAME, employee_no: EMPLOYEE_NO },
  defaultSort: [{ by: EMPLOYEE_NO, dir: 'asc' }],
  tabs: {
    all: { where: () => sql<boolean>`m.status <> 'left'` },
    enabled: byStatus('enabled'),
    disabled: byStatus('disabled'),
    left: byStatus('left'),
  },
  defaultTab: 'all',
  keyword: (
    keyword,
  ) => sql<boolean>`(position(${keyword} in m.name) > 0 or starts_with(m.py, ${keyword.toLowerCase()})
    or starts_with(m.mobile, ${keyword}) or m.employee_no = ${keyword})`,
}

/** The colleagues of the tenant. */
export function listUsers(body: JsonObject, ctx: CallContext) {
  return openList<Row>(USER_LIST, readListRequest(body), ctx).page((row) => userRow(row, ctx))
}

/** A colleague and what they own. */
export async function userDetail(body: JsonObject, ctx: CallContext) {
  const record = await readUser(givenId(body), ctx)
  return {
    record,
    holdings: await holdingsOf(record.id, ctx),
    actions: await userActions(record, ctx),
  }
}

/** GET /engine/web/user/roles: the roles that the caller can assign to a colleague; those beyond the caller's own rights are disabled. */
export async function roleOptions(_: JsonObject, ctx: CallContext) {
  const { rows } = await sql<
    RoleWords & { id: string; name: string }
  >`select id, name, permissions, scopes, custom_depts, field_rights
    from role where tenant_id = ${ctx.caller.tenantId} and deleted_at is null order by sort, id`.execute(
    ctx.trx,
  )
  const isBeyond = await grantsMoreTest(ctx)
  return {
    list: rows.map((role) => ({ value: role.id, label: role.name, disabled: isBeyond([role]) })),
  }
}

/** A colleague of the tenant; 404 for anybody else. */
export async function readUser(id: string, ctx: CallContext): Promise<AdminUser> {
  const { rows } = await sql<Row>`select ${COLUMNS} from ${FROM} where m.tenant_id = ${ctx.caller.tenantId}
    and m.user_id = ${id} and m.deleted_at is null`.execute(ctx.trx)
  const [row] = rows
  return row === undefined ? refuse(404, 'NOT_FOUND', text('call.not-found')) : userRow(row, ctx)
}

/** Everything the person owns. */
export async function holdingsOf(userId: string, { trx, caller }: CallContext): Promise<Holdings> {
  const owned = (
    table: string,
  ) => sql`(select count(*) from ${sql.table(table)} where tenant_id = ${caller.tenantId}
    and owner_id = ${userId} and deleted_at is null) as ${sql.ref(table)}`
  const { rows } = await sql<Holdings>`select
      ${sql.join(['customer', 'lead', 'bussiness', 'contract', 'payment', 'record'].map(owned))},
      (select count(*) from todo where tenant_id = ${caller.tenantId} and assignee_id = ${userId} and status = 0
        and deleted_at is null) as todo,
      (select count(*) from approval a where a.tenant_id = ${caller.tenantId} and ${isUndecided(userId, 'a')}) as approval`.execute(
    trx,
  )
  return (
    rows[0] ?? {
      customer: 0,
      lead: 0,
      bussiness: 0,
      contract: 0,
      payment: 0,
      record: 0,
      todo: 0,
      approval: 0,
    }
  )
}

function userRow({ roles, ...row }: Row, { zone }: CallContext): AdminUser {
  return { ...(wireRow(row, zone) as unknown as AdminUser), role_names: roles.join('、') }
}

/** What the caller may do with a colleague: nobody can disable, reset or dismiss themselves or somebody with more rights. */
async function userActions(user: AdminUser, ctx: CallContext): Promise<readonly string[]> {
  if (user.status === 'left' || (await outranks(user.id, ctx))) return []
  if (user.id === ctx.caller.userId) return ['edit']
  return ['edit', 'password', 'handover', user.status === 'enabled' ? 'disable' : 'enable', 'leave']
}
