import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { MOBILE } from '../../../model/kinds/contact.ts'
import { hashPassword, passwordFault } from '../../kernel/auth/password.ts'
import type { Database, Trx } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/db/id.ts'
import { readingOf } from '../../kernel/words/pinyin.ts'
import { createTenant } from '../seed/new-tenant.ts'

/** A company and its administrator. */
export interface NewCompany {
  readonly tenant: string
  readonly account: string
  readonly name: string
  readonly mobile: string
  /** Used as given; null: a password is generated, shown once, and must be changed at the first sign-in. */
  readonly password: string | null
}

export interface MadeCompany {
  readonly tenantId: string
  readonly code: string
  /** The generated password; null if one was given or the person has one already. */
  readonly password: string | null
  /** The other tenants of this person, whose login stays the same; null for a new person. */
  readonly elsewhere: readonly string[] | null
}

/** Advisory lock: one setup at a time, so that the second of two with the same name gets a clear message. */
const LOCK = 0x63726d23
const ACCOUNT = /^[a-z][\w.-]{1,31}$/
/** Letters and digits that are not easily confused. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz'
const DIGITS = '23456789'

/** The faults of the answers, one message each. Without any, {@link makeCompany} can be called. */
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
 * Creates a tenant with roles, dictionaries, menus, pools and a first department, and an administrator who can sign in. A login belongs to a person:
 * somebody who has one already, identified by account and mobile together, keeps it with its password.
 *
 * @throws Error with a message if the tenant exists, or account and mobile belong to different people
 */
export async function makeCompany(database: Database, company: NewCompany): Promise<MadeCompany> {
  const tenant = company.tenant.trim()
  return database.system(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    await refuseTaken(trx, tenant)
    const known = await findPerson(trx, company)
    const { userId, password } =
      known === null ? await makeLogin(trx, company) : { userId: known.id, password: null }
    const elsewhere = known === null ? null : await tenantsWith(trx, userId)
    const tenantId = newId()
    const code = await freeCode(trx, tenant)
    const roles = await createTenant(trx, {
      id: tenantId,
      code,
      name: tenant,
      shortName: [...tenant].slice(0, 8).join(''),
      industry: '',
    })
    const isDefault = elsewhere === null || elsewhere.length === 0
    await makeMember(trx, company, { tenantId, userId, isDefault })
    await trx
      .insertInto('role_assignment')
      .values({ tenant_id: tenantId, user_id: userId, role_id: roles.get('tenant_admin') ?? '' })
      .execute()
    return { tenantId, code, password, elsewhere }
  })
}

async function makeLogin(
  trx: Trx,
  { account, mobile, password }: NewCompany,
): Promise<{ userId: string; password: string | null }> {
  const generated = password === null ? newPassword() : null
  const userId = newId()
  await trx
    .insertInto('app_user')
    .values({
      id: userId,
      account,
      mobile,
      password_hash: await hashPassword(password ?? generated ?? ''),
      must_change_password: generated !== null,
    })
    .execute()
  return { userId, password: generated }
}

/** Makes the person the head of a department named after the tenant. */
async function makeMember(
  trx: Trx,
  company: NewCompany,
  ids: { readonly tenantId: string; readonly userId: string; readonly isDefault: boolean },
): Promise<void> {
  const { tenantId, userId } = ids
  const deptId = newId()
  const name = company.name.trim()
  const nobody = { created_by: null, updated_by: null }
  await trx
    .insertInto('department')
    .values({
      tenant_id: tenantId,
      id: deptId,
      parent_id: null,
      name: company.tenant.trim(),
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
      is_default: ids.isDefault,
      ...nobody,
    })
    .execute()
}

async function refuseTaken(trx: Trx, tenant: string): Promise<void> {
  const { rows } = await sql`select 1 from tenant where name = ${tenant}`.execute(trx)
  if (rows.length > 0) throw new Error(`the tenant ${tenant} is there already: nothing was made`)
}

/** The owner of that login; null for a new one. */
async function findPerson(trx: Trx, company: NewCompany): Promise<{ readonly id: string } | null> {
  const { account, mobile, password } = company
  const known = await trx
    .selectFrom('app_user')
    .select(['id', 'account', 'mobile', 'status'])
    .where((where) => where.or([where('account', '=', account), where('mobile', '=', mobile)]))
    .execute()
  const [person] = known
  if (person === undefined) return null
  const nothing = 'nothing was made'
  if (known.length > 1)
    throw new Error(`the account ${account} and the mobile ${mobile} are of two people: ${nothing}`)
  if (person.account !== account)
    throw new Error(`somebody with the mobile ${mobile} signs in as ${person.account}: ${nothing}`)
  if (person.mobile !== mobile)
    throw new Error(`the account ${account} is of somebody with another mobile: ${nothing}`)
  if (person.status !== 'normal') throw new Error(`the account ${account} is closed: ${nothing}`)
  if (password !== null)
    throw new Error(`the account ${account} has a password, which stays: give none; ${nothing}`)
  return person
}

async function tenantsWith(trx: Trx, userId: string): Promise<readonly string[]> {
  const { rows } = await sql<{
    name: string
  }>`select t.name from membership m join tenant t on t.id = m.tenant_id
    where m.user_id = ${userId} and m.status = 'enabled' and m.deleted_at is null order by t.name`.execute(
    trx,
  )
  return rows.map((row) => row.name)
}

/** A short unused code in letters, from the pronunciation of the name. */
async function freeCode(trx: Trx, name: string): Promise<string> {
  const wanted =
    readingOf(name, 'company')
      .py.replace(/[^a-z0-9]/g, '')
      .slice(0, 24) || 'tenant'
  const { rows } = await sql<{
    code: string
  }>`select code from tenant where starts_with(code, ${wanted})`.execute(trx)
  const usedCodes = new Set(rows.map((row) => row.code))
  let code = wanted
  for (let n = 2; usedCodes.has(code); n += 1) code = `${wanted}${n}`
  return code
}

export function newPassword(): string {
  const some = (from: string, count: number) =>
    Array.from({ length: count }, () => from[randomInt(from.length)]).join('')
  return [some(LETTERS, 4), some(DIGITS, 4), some(LETTERS, 4)].join('-')
}
