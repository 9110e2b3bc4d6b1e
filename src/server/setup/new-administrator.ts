import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { MOBILE } from '../../model/kinds/contact.ts'
import { hashPassword, passwordFault } from '../auth/password.ts'
import type { Database, Trx } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { readingOf } from '../search/pinyin.ts'
import { createTenant } from '../seed/new-tenant.ts'

/** A company and the person who will administer it. */
export interface NewCompany {
  readonly tenant: string
  readonly account: string
  readonly name: string
  readonly mobile: string
  /** Stands as it is; null: one is made, shown once, and changed at the first sign-in. */
  readonly password: string | null
}

export interface MadeCompany {
  readonly tenantId: string
  readonly code: string
  /** The password that was made; null for one that was given. */
  readonly password: string | null
}

/** One setup at a time, so that of two with the same name one is refused in words. */
const LOCK = 0x63726d23
const ACCOUNT = /^[a-z][\w.-]{1,31}$/
/** Without letters and digits that are taken for each other. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz'
const DIGITS = '23456789'

/** What is wrong with the answers, one sentence each; none: {@link makeCompany} can try. */
export function companyFaults({ tenant, account, name, mobile, password }: NewCompany): readonly string[] {
  const length = (text: string) => [...text.trim()].length
  const faults = [
    length(tenant) < 2 || length(tenant) > 50 ? '--tenant: a name of 2 to 50 characters' : null,
    ACCOUNT.test(account)
      ? null
      : '--account: 2 to 32 small letters, digits, dots, - and _, beginning with a letter',
    length(name) < 1 || length(name) > 30 ? '--name: a name of up to 30 characters' : null,
    MOBILE.test(mobile) ? null : '--mobile: a mobile number of 11 digits',
    password === null || passwordFault(password, account) === null
      ? null
      : 'password: 8 to 20 characters of two kinds (letters, digits, others), not the account itself',
  ]
  return faults.filter((fault) => fault !== null)
}

/**
 * Makes a tenant with its roles, dictionaries, menus, pools and a first department, and in it an administrator who can sign in.
 *
 * @throws Error with a sentence when tenant, account or mobile are taken
 */
export async function makeCompany(database: Database, company: NewCompany): Promise<MadeCompany> {
  const made = company.password === null ? newPassword() : null
  const passwordHash = await hashPassword(company.password ?? made ?? '')
  const tenant = company.tenant.trim()
  const name = company.name.trim()
  return database.system(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    await refuseTaken(trx, company)
    const tenantId = newId()
    const code = await freeCode(trx, tenant)
    const roles = await createTenant(trx, {
      id: tenantId,
      code,
      name: tenant,
      shortName: [...tenant].slice(0, 8).join(''),
      industry: '',
    })
    const userId = newId()
    const deptId = newId()
    const nobody = { created_by: null, updated_by: null }
    await trx
      .insertInto('app_user')
      .values({
        id: userId,
        account: company.account,
        mobile: company.mobile,
        password_hash: passwordHash,
        must_change_password: made !== null,
      })
      .execute()
    await trx
      .insertInto('department')
      .values({
        tenant_id: tenantId,
        id: deptId,
        parent_id: null,
        name: tenant,
        path: `${deptId}/`,
        leader_id: userId,
        ...nobody,
      })
      .execute()
    await trx
      .insertInto('membership')
      .values({
        tenant_id: tenantId,
        user_id: userId,
        name,
        mobile: company.mobile,
        py: readingOf(name, 'person').py,
        dept_id: deptId,
        is_default: true,
        ...nobody,
      })
      .execute()
    await trx
      .insertInto('role_assignment')
      .values({ tenant_id: tenantId, user_id: userId, role_id: roles.get('tenant_admin') ?? '' })
      .execute()
    return { tenantId, code, password: made }
  })
}

async function refuseTaken(trx: Trx, { tenant, account, mobile }: NewCompany): Promise<void> {
  const { rows } = await sql<{ what: string }>`
    select 'the tenant ' || name as what from tenant where name = ${tenant.trim()}
    union all select 'the account ' || account from app_user where account = ${account}
    union all select 'somebody with the mobile ' || mobile from app_user where mobile = ${mobile}`.execute(
    trx,
  )
  if (rows.length > 0)
    throw new Error(`${rows.map((row) => row.what).join(' and ')} is there already: nothing was made`)
}

/** A short name in letters, from how the name is read. */
async function freeCode(trx: Trx, name: string): Promise<string> {
  const wanted =
    readingOf(name, 'company')
      .py.replace(/[^a-z0-9]/g, '')
      .slice(0, 24) || 'tenant'
  const { rows } = await sql<{
    code: string
  }>`select code from tenant where starts_with(code, ${wanted})`.execute(trx)
  const taken = new Set(rows.map((row) => row.code))
  let code = wanted
  for (let n = 2; taken.has(code); n += 1) code = `${wanted}${n}`
  return code
}

function newPassword(): string {
  const some = (from: string, count: number) =>
    Array.from({ length: count }, () => from[randomInt(from.length)]).join('')
  return [some(LETTERS, 4), some(DIGITS, 4), some(LETTERS, 4)].join('-')
}
