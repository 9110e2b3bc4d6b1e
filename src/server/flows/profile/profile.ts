import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Profile } from '../../../contract/profile.ts'
import type { Field } from '../../../model/description.ts'
import { FILE_URL } from '../../../model/kinds/files.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { checkDescribed } from '../../kernel/records/described.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { readingOf } from '../../kernel/words/pinyin.ts'

/** What people may change in their own profile (DOMAIN 8.2). */
const FIELDS: readonly Field[] = [
  { name: 'name', kind: 'text', max: 40, label: text('profile.field.name'), required: true },
  { name: 'avatar', kind: 'text', max: 500, pattern: FILE_URL.source, label: text('profile.field.avatar') },
  { name: 'gender', kind: 'choice', dict: 'gender', label: text('profile.field.gender') },
  { name: 'mobile', kind: 'phone', form: 'mobile', label: text('profile.field.mobile') },
  { name: 'email', kind: 'email', label: text('profile.field.email') },
  { name: 'wechat', kind: 'text', max: 40, label: text('profile.field.wechat') },
  { name: 'signature', kind: 'text', max: 100, label: text('profile.field.signature') },
]

/** The caller's profile in this tenant. */
export async function readProfile({ trx, caller }: CallContext): Promise<Profile> {
  const { rows } = await sql<
    Omit<Profile, 'account'>
  >`select m.user_id as id, m.name, m.avatar, m.gender, m.mobile, m.email,
      m.wechat, m.signature, m.employee_no as "employeeNo", m.position, coalesce(d.name, '') as dept,
      coalesce(s.name, '') as supervisor,
      array(select r.name from role_assignment a join role r on r.tenant_id = a.tenant_id and r.id = a.role_id
        where a.tenant_id = m.tenant_id and a.user_id = m.user_id and r.deleted_at is null order by r.sort) as roles
    from membership m left join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
    left join membership s on s.tenant_id = m.tenant_id and s.user_id = m.supervisor_id
    where m.tenant_id = ${caller.tenantId} and m.user_id = ${caller.userId}`.execute(trx)
  const [row] = rows
  return row === undefined
    ? refuse(404, 'NOT_FOUND', text('call.not-found'))
    : { ...row, account: caller.account }
}

/**
 * Changes the given values. Mobile and mail also identify the person at sign-in, so a mobile must be unique.
 *
 * @throws Refusal 400 with a message per field
 */
export async function updateProfile(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const before = await readProfile(ctx)
  const { values, faults } = await checkDescribed(body, FIELDS, ctx, { ...before })
  refuseFaults(faults)
  const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? '')]))
  const { name, mobile = before.mobile, email = before.email } = given
  if (mobile !== before.mobile || email !== before.email) await changeLogin(caller.userId, mobile, email, ctx)
  if (Object.keys(given).length > 0)
    await trx
      .updateTable('membership')
      .set((set) => ({
        ...given,
        ...(name === undefined ? {} : { py: readingOf(name, 'person').py }),
        updated_by: caller.userId,
        updated_at: now,
        version: set('version', '+', 1),
      }))
      .where('tenant_id', '=', caller.tenantId)
      .where('user_id', '=', caller.userId)
      .execute()
  return {
    data: (await readProfile(ctx)) as unknown as Json,
    recordId: caller.userId,
    detail: { fields: Object.keys(given) },
  }
}

/**
 * Writes mobile and mail of a person of this tenant into their login; 400 if the mobile belongs to another person, or if somebody else changes the
 * login of a person who also works for another tenant.
 */
export async function changeLogin(
  userId: string,
  mobile: string,
  email: string,
  { trx }: Pick<CallContext, 'trx'>,
): Promise<void> {
  const { rows } = await sql<{
    fault: string | null
  }>`select crm_change_login(${userId}, ${mobile === '' ? null : mobile},
    ${email === '' ? null : email}) as fault`.execute(trx)
  const fault = rows[0]?.fault ?? null
  if (fault === 'mobile') refuseFaults({ mobile: text('profile.mobile-taken') })
  if (fault === 'elsewhere') refuseFaults({ mobile: text('admin.user.login-elsewhere') })
  if (fault !== null) refuse(404, 'NOT_FOUND', text('call.not-found'))
}
