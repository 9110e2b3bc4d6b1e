import { pinyin } from 'pinyin-pro'
import { hashPassword } from '../../kernel/auth/password.ts'
import type { Trx } from '../../kernel/db/database.ts'
import DEMO from './demo-accounts.json'
import { createTenant } from './new-tenant.ts'

/** The password of every demo account. */
export const DEMO_PASSWORD = 'Crm@2026'

/**
 * Creates the demo tenants, departments, people and roles (DOMAIN 6.1), once. Ids are fixed: tenants `xinghai`, `yunfan` and `kongbai`; a person's id
 * is `u-<account>`; departments as in `demo-accounts.json`. Needs `database.system`; never in production.
 */
export async function seedAccounts(trx: Trx): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  await trx
    .insertInto('app_user')
    .values(
      DEMO.people.map(({ account, mobile }) => ({
        id: personId(account),
        account,
        mobile,
        email: `${account}@example.com`,
        password_hash: passwordHash,
        is_demo: true,
      })),
    )
    .execute()
  for (const tenant of DEMO.tenants) {
    const roles = await createTenant(trx, tenant)
    await insertDepartments(trx, tenant.id)
    await insertMembers(trx, tenant.id, roles)
  }
}

/** The id of a demo person. */
export function personId(account: string): string {
  return `u-${account}`
}

async function insertDepartments(trx: Trx, tenantId: string): Promise<void> {
  const mine = DEMO.departments.filter((department) => department.tenant === tenantId)
  const pathOf = (id: string | null): string => {
    const found = mine.find((department) => department.id === id)
    return found === undefined ? '' : `${pathOf(found.parent)}${found.id}/`
  }
  const rows = mine.map((department, sort) => ({
    tenant_id: tenantId,
    id: department.id,
    parent_id: department.parent,
    name: department.name,
    path: pathOf(department.id),
    leader_id: personId(department.leader),
    sort,
    created_by: null,
    updated_by: null,
  }))
  await trx.insertInto('department').values(rows).execute()
}

async function insertMembers(trx: Trx, tenantId: string, roles: ReadonlyMap<string, string>): Promise<void> {
  const mine = DEMO.members.filter((member) => member.tenant === tenantId)
  const rows = mine.map((member, index) => {
    const person = DEMO.people.find(({ account }) => account === member.account)
    const name = person?.name ?? member.account
    return {
      tenant_id: tenantId,
      user_id: personId(member.account),
      name,
      mobile: person?.mobile ?? '',
      email: `${member.account}@example.com`,
      py: pinyin(name, { toneType: 'none', separator: '', mode: 'surname' }),
      employee_no: String(index + 1).padStart(4, '0'),
      dept_id: member.dept,
      position: member.position,
      supervisor_id: member.supervisor === null ? null : personId(member.supervisor),
      is_default: tenantId === homeOf(member.account),
      created_by: null,
      updated_by: null,
    }
  })
  await trx.insertInto('membership').values(rows).execute()
  const assignments = mine.map((member) => ({
    tenant_id: tenantId,
    user_id: personId(member.account),
    role_id: roles.get(member.role) ?? '',
  }))
  await trx.insertInto('role_assignment').values(assignments).execute()
}

/** The home tenant of a person: the first one that lists them. */
function homeOf(account: string): string | undefined {
  return DEMO.members.find((member) => member.account === account)?.tenant
}
