import { sql } from 'kysely'
import { rightsInRules } from '../../../contract/field-rights.ts'
import type { UserDetail } from '../../../contract/session.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { presetMenus } from '../../kernel/model/preset-menus.ts'
import { authoritiesOf, readMenus, selectMenus } from './menus.ts'

/** Everything the client needs to know about its user (DOMAIN 8.2). */
export async function userDetail(trx: Trx, caller: Caller): Promise<Omit<UserDetail, 'draftKey'>> {
  const { tenantId, userId } = caller
  const member = await trx
    .selectFrom('membership as m')
    .leftJoin('department as d', (join) =>
      join.onRef('d.tenant_id', '=', 'm.tenant_id').onRef('d.id', '=', 'm.dept_id'),
    )
    .selectAll('m')
    .select('d.name as dept')
    .where('m.tenant_id', '=', tenantId)
    .where('m.user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const roles = await trx
    .selectFrom('role')
    .select(['code', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('code', 'in', caller.roles.length > 0 ? [...caller.roles] : [''])
    .orderBy('sort')
    .execute()
  const authorities = authoritiesOf(await readMenus(trx, tenantId), caller.permissions)
  const { id, name, logo, timezone, settings } = caller.tenant
  return {
    authorities,
    selected: selectMenus(member.selected, authorities, presetMenus(settings)),
    userInfo: {
      id: userId,
      account: caller.account,
      name: member.name,
      mobile: member.mobile,
      email: member.email,
      avatar: member.avatar,
      gender: member.gender,
      wechat: member.wechat,
      signature: member.signature,
      position: member.position,
      dept: member.dept ?? '',
      deptId: member.dept_id,
      roles,
      homeScope: await homeScopeOf(trx, caller),
    },
    permissions: [...caller.permissions],
    fieldRights: rightsInRules(caller.fieldRights),
    mustChangePassword: caller.mustChangePassword,
    tenant: { id, name, logo, timezone },
    settings,
  }
}

/** The initial scope of the home page: the user's own numbers, or those of the team for somebody who owns no counted records. */
async function homeScopeOf(trx: Trx, { tenantId, userId, permissions }: Caller): Promise<'mine' | 'team'> {
  if (!permissions.has('stats:team') && !permissions.has('stats:money')) return 'mine'
  const owns = (['customer', 'bussiness', 'contract'] as const).map(
    (table) => sql<boolean>`exists (select 1 from ${sql.table(table)} where tenant_id = ${tenantId}
      and owner_id = ${userId} and deleted_at is null)`,
  )
  const { rows } = await sql<{ owns: boolean }>`select ${sql.join(owns, sql` or `)} as owns`.execute(trx)
  return rows[0]?.owns === true ? 'mine' : 'team'
}
