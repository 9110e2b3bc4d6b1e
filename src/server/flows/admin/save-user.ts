import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { EMAIL, MOBILE } from '../../../model/kinds/contact.ts'
import { hashPassword, passwordFault } from '../../kernel/auth/password.ts'
import { holdsAll, type RoleWords } from '../../kernel/auth/rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { readingOf } from '../../kernel/words/pinyin.ts'
import { changeLogin } from '../profile/profile.ts'
import { checkVersion, givenId, idList, invalid, shortText } from './input.ts'
import type { AdminResult } from './kind.ts'
import { grantsMore, keepingRank, refuseOutranking } from './outranks.ts'
import { readUser } from './users.ts'

const ACCOUNT = /^[a-z][\w.-]{1,31}$/
const MAX_ROLES = 10

/** The properties of a colleague that an administrator can change. */
interface UserInput {
  readonly name: string
  readonly mobile: string
  readonly email: string
  readonly employee_no: string
  readonly position: string
  readonly dept_id: string | null
  readonly supervisor_id: string | null
}

/**
 * Creates a colleague with a login, or changes one (DOMAIN 1.13).
 *
 * @param body  fields of {@link UserInput}, `role_ids`; new: `account`, `password`; change: `id`, `version`
 */
export async function saveUser(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  const id = givenId(body)
  const input = readInput(body)
  const roleIds = idList(body.role_ids, 'role_ids', MAX_ROLES)
  await refuseUnknown(input, id, ctx)
  if (id === '') {
    const person = await newLogin(body, input, ctx)
    await refuseFull(ctx)
    await keepingRank(ctx, async () => {
      await trx
        .insertInto('membership')
        .values({
          ...input,
          tenant_id: caller.tenantId,
          user_id: person,
          py: readingOf(input.name, 'person').py,
          is_default: true,
          created_by: caller.userId,
          created_at: now,
          updated_by: caller.userId,
          updated_at: now,
        })
        .execute()
      await setRoles(person, roleIds, ctx)
    })
    return answer(person, ctx, { account: String(body.account), role_ids: [...roleIds] })
  }
  const before = await readUser(id, ctx)
  checkVersion(body.version, before.version)
  await refuseOutranking(id, ctx)
  refuseOwnPlace(input, before, ctx)
  if (before.mobile !== input.mobile || before.email !== input.email)
    await changeLogin(id, input.mobile, input.email, ctx)
  await keepingRank(ctx, async () => {
    await trx
      .updateTable('membership')
      .set((set) => ({
        ...input,
        py: readingOf(input.name, 'person').py,
        updated_by: caller.userId,
        updated_at: now,
        version: set('version', '+', 1),
      }))
      .where('tenant_id', '=', caller.tenantId)
      .where('user_id', '=', id)
      .execute()
    if (before.dept_id !== input.dept_id) await takeAlong(id, input.dept_id, ctx)
    if (body.role_ids !== undefined) await changeRoles(id, before.role_ids, roleIds, ctx)
  })
  return answer(id, ctx, { before: before as unknown as Json })
}

/** Tables whose records store the department of their owner. */
const PLACED = ['customer', 'lead', 'bussiness', 'contract', 'payment', 'record'] as const

/** A person's records follow them to a new department, so that the new superiors see them and the former ones do not. */
export async function takeAlong(
  userId: string,
  deptId: string | null,
  { trx, caller }: CallContext,
): Promise<void> {
  for (const table of PLACED)
    await sql`update ${sql.table(table)} set owner_dept_id = ${deptId} where tenant_id = ${caller.tenantId}
      and owner_id = ${userId} and owner_dept_id is distinct from ${deptId}`.execute(trx)
}

/** Visibility depends on the department, so nobody can move themselves, except people who see everything anyway. */
export function refuseOwnPlace(
  { dept_id, supervisor_id }: Pick<UserInput, 'dept_id' | 'supervisor_id'>,
  before: Pick<UserInput, 'dept_id' | 'supervisor_id'> & { readonly id: string },
  { caller }: CallContext,
): void {
  if (before.id !== caller.userId || holdsAll(caller)) return
  if (dept_id !== before.dept_id || supervisor_id !== before.supervisor_id)
    refuse(405, 'NO_PERMISSION', text('admin.user.place'), { detail: 'dept_id, supervisor_id' })
}

/** Sets a password for a colleague, who must change it; not possible if the person also works for another tenant. */
export async function resetPassword(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  const user = await readUser(givenId(body), ctx)
  await refuseOutranking(user.id, ctx)
  const hash = await hashPassword(checkedPassword(body.password, user.account))
  const { rows } = await sql<{
    fault: string | null
  }>`select crm_reset_login(${user.id}, ${hash}) as fault`.execute(trx)
  if (rows[0]?.fault === 'elsewhere') refuse(409, 'STATE_CONFLICT', text('admin.user.elsewhere'))
  await announce(trx, {
    event: 'account.password',
    tenantId: caller.tenantId,
    actorId: caller.userId,
    now,
    receivers: [user.id],
    entity: 'todo',
    ids: [],
    params: { at: dayText(wallTimeOf(now, ctx.zone)) },
    link: { route: '/pages/my/setting/password', query: {} },
  })
  return { data: { id: user.id }, recordId: user.id, people: [user.id] }
}

async function newLogin(
  body: JsonObject,
  { mobile, email }: UserInput,
  { trx, now }: CallContext,
): Promise<string> {
  const account = typeof body.account === 'string' ? body.account.trim().toLowerCase() : ''
  if (!ACCOUNT.test(account)) refuseFaults({ account: text('admin.user.account') })
  const hash = await hashPassword(checkedPassword(body.password, account))
  const id = newId(now.getTime())
  const { rows } = await sql<{ fault: string | null }>`select crm_new_login(${id}, ${account},
    ${mobile === '' ? null : mobile}, ${email === '' ? null : email}, ${hash}) as fault`.execute(trx)
  const fault = rows[0]?.fault ?? null
  if (fault === 'account') refuseFaults({ account: text('admin.user.account-taken') })
  if (fault === 'mobile') refuseFaults({ mobile: text('profile.mobile-taken') })
  return id
}

function checkedPassword(value: Json | undefined, account: string): string {
  const password = typeof value === 'string' ? value : ''
  const fault = passwordFault(password, account)
  if (fault !== null)
    refuseFaults({ password: text(fault === 'weak' ? 'password.weak' : 'password.is-account') })
  return password
}

function readInput(body: JsonObject): UserInput {
  const mobile = shortText(body.mobile, 'mobile', 11)
  const email = shortText(body.email, 'email', 80)
  if (mobile !== '' && !MOBILE.test(mobile))
    refuseFaults({ mobile: text('record.format', { label: text('profile.field.mobile') }) })
  if (email !== '' && !EMAIL.test(email))
    refuseFaults({ email: text('record.format', { label: text('profile.field.email') }) })
  const reference = (name: 'dept_id' | 'supervisor_id') => shortText(body[name], name, 64) || null
  return {
    name: shortText(body.name, 'name', 40, 1),
    mobile,
    email,
    employee_no: shortText(body.employee_no, 'employee_no', 30),
    position: shortText(body.position, 'position', 40),
    dept_id: reference('dept_id'),
    supervisor_id: reference('supervisor_id'),
  }
}

/** Checks that department and superior belong to this tenant, and that nobody is directly or indirectly their own superior. */
export async function refuseUnknown(
  { dept_id, supervisor_id }: Pick<UserInput, 'dept_id' | 'supervisor_id'>,
  id: string,
  { trx, caller }: CallContext,
): Promise<void> {
  const { rows } = await sql<{ dept: boolean; supervisor: boolean; circle: boolean }>`
    with recursive chain as (
      select ${supervisor_id}::text as user_id
      union select m.supervisor_id from membership m join chain on m.user_id = chain.user_id
        where m.tenant_id = ${caller.tenantId} and m.supervisor_id is not null)
    select ${dept_id}::text is null or exists (select 1 from department where tenant_id = ${caller.tenantId} and id = ${dept_id}
        and deleted_at is null) as dept,
      ${supervisor_id}::text is null or exists (select 1 from membership where tenant_id = ${caller.tenantId}
        and user_id = ${supervisor_id} and status = 'enabled' and deleted_at is null) as supervisor,
      exists (select 1 from chain where user_id = ${id}) as circle`.execute(trx)
  const [found] = rows
  if (found?.dept !== true) invalid('dept_id')
  if (found.supervisor !== true) invalid('supervisor_id')
  if (id !== '' && found.circle) refuseFaults({ supervisor_id: text('admin.user.circle') })
}

/** Refuses more enabled people than the tenant's licence allows. */
async function refuseFull({ trx, caller }: CallContext): Promise<void> {
  const { rows } = await sql<{
    n: number
    most: number
  }>`select max_users as most, (select count(*) from membership m
      where m.tenant_id = t.id and m.status <> 'left' and m.deleted_at is null) as n from tenant t
    where t.id = ${caller.tenantId}`.execute(trx)
  const { n = 0, most = 0 } = rows[0] ?? {}
  if (n >= most) refuse(409, 'STATE_CONFLICT', text('admin.user.full', { most }))
}

async function changeRoles(
  id: string,
  before: readonly string[],
  after: readonly string[],
  ctx: CallContext,
): Promise<void> {
  if ([...before].sort().join() === [...after].sort().join()) return
  const { trx, caller, now } = ctx
  await trx
    .deleteFrom('role_assignment')
    .where('tenant_id', '=', caller.tenantId)
    .where('user_id', '=', id)
    .execute()
  await setRoles(id, after, ctx)
  const { rows } = await sql<{ names: string }>`select string_agg(name, '、' order by sort) as names from role
    where tenant_id = ${caller.tenantId} and id = any(${[...after]}::text[])`.execute(trx)
  await announce(trx, {
    event: 'account.role',
    tenantId: caller.tenantId,
    actorId: caller.userId,
    now,
    receivers: [id],
    entity: 'todo',
    ids: [],
    params: { roles: rows[0]?.names ?? '' },
    link: { route: '/pages/my/index', query: {} },
  })
}

/** Assigns roles. The tenant must keep an enabled administrator, and nobody can grant more than they have. */
async function setRoles(userId: string, roleIds: readonly string[], ctx: CallContext): Promise<void> {
  const { trx, caller } = ctx
  const { rows } = await sql<
    RoleWords & { id: string }
  >`select id, permissions, scopes, custom_depts, field_rights from role
    where tenant_id = ${caller.tenantId} and id = any(${[...roleIds]}::text[]) and deleted_at is null`.execute(
    trx,
  )
  if (rows.length < roleIds.length) invalid('role_ids')
  if (await grantsMore(rows, ctx))
    refuse(405, 'NO_PERMISSION', text('admin.role.more'), { detail: 'role_ids' })
  for (const { id } of rows)
    await trx
      .insertInto('role_assignment')
      .values({ tenant_id: caller.tenantId, user_id: userId, role_id: id })
      .execute()
  await keepAnAdministrator({ trx, caller })
}

/** Refuses a change after which nobody in the tenant has all rights: rights that nobody has could never be granted again. */
export async function keepAnAdministrator({
  trx,
  caller,
}: Pick<CallContext, 'trx' | 'caller'>): Promise<void> {
  const { rows } = await sql`select 1 from role_assignment a
    join role r on r.tenant_id = a.tenant_id and r.id = a.role_id and r.deleted_at is null
    join membership m on m.tenant_id = a.tenant_id and m.user_id = a.user_id and m.status = 'enabled'
    where a.tenant_id = ${caller.tenantId} and r.permissions @> '["*"]'::jsonb limit 1`.execute(trx)
  if (rows.length === 0) refuse(409, 'STATE_CONFLICT', text('admin.user.last'))
}

async function answer(id: string, ctx: CallContext, detail: JsonObject): Promise<AdminResult> {
  const record = await readUser(id, ctx)
  return {
    data: { id, version: record.version, record: record as unknown as Json },
    recordId: id,
    detail,
    people: [id],
  }
}
