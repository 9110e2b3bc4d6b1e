import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { AdminDept } from '../../../contract/admin.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { givenId, invalid, readInteger, shortText } from './input.ts'
import type { AdminResult } from './kind.ts'
import { refuseOutside } from './outranks.ts'

interface Row extends Omit<AdminDept, 'children'> {
  readonly path: string
}

const MAX_DEPTH = 10

/** The departments as a tree, and as a flat list of its rows from top to bottom with their `depth`. */
export async function listDepts(_: JsonObject, ctx: CallContext) {
  const rows = counted(await readRows(ctx))
  return { list: childrenOf(null, rows), rows: inOrder(null, 0, rows) }
}

/** GET /engine/web/user/depts: the same tree for people who manage users. */
export async function deptsOfPeople(_: JsonObject, ctx: CallContext) {
  return { list: childrenOf(null, counted(await readRows(ctx))) }
}

/** Departments with `people`, which includes the people in departments below, and that in words. */
function counted(rows: readonly Row[]) {
  const within = (path: string): number =>
    rows.filter((row) => row.path.startsWith(path)).reduce((sum, { members }) => sum + members, 0)
  return rows.map((row) => {
    const people = within(row.path)
    const said = row.members === people ? 'admin.dept.people' : 'admin.dept.people-own'
    return { ...row, people, people_text: text(said, { people, own: row.members }) }
  })
}

export async function deptDetail(body: JsonObject, ctx: CallContext) {
  const rows = await readRows(ctx)
  const found = rows.find((row) => row.id === givenId(body))
  return found === undefined ? notFound() : { record: { ...found, children: childrenOf(found.id, rows) } }
}

/**
 * Creates, renames or moves a department together with those below it.
 *
 * @param body  `name`, `parent_id`, `leader_id`, `sort`; for a change also `id`
 */
export async function saveDept(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  const tenantId = caller.tenantId
  // One at a time: two simultaneous moves could create a cycle.
  await sql`select 1 from tenant where id = ${tenantId}`.execute(trx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`dept/${tenantId}`}, 0))`.execute(trx)
  const rows = await readRows(ctx)
  const id = givenId(body)
  const before = rows.find((row) => row.id === id)
  if (id !== '' && before === undefined) notFound()
  const parentId =
    body.parent_id === undefined && before
      ? before.parent_id
      : shortText(body.parent_id, 'parent_id', 64) || null
  const parent = rows.find((row) => row.id === parentId)
  if (parentId !== null && parent === undefined) invalid('parent_id')
  if (before !== undefined && parent?.path.startsWith(before.path))
    refuseFaults({ parent_id: text('admin.dept.circle') })
  if (before !== undefined && before.parent_id !== parentId) await refuseOutside([before.id, parentId], ctx)
  const deptId = before?.id ?? newId(now.getTime())
  const path = `${parent?.path ?? ''}${deptId}/`
  if (path.split('/').length - 1 > MAX_DEPTH)
    refuseFaults({ parent_id: text('admin.dept.deep', { most: MAX_DEPTH }) })
  const name = shortText(body.name ?? before?.name, 'name', 40, 1)
  if (rows.some((row) => row.id !== deptId && row.parent_id === parentId && row.name === name))
    refuseFaults({ name: text('admin.dept.same') })
  const leaderId =
    body.leader_id === undefined && before
      ? before.leader_id
      : shortText(body.leader_id, 'leader_id', 64) || null
  await refuseUnknownLeader(leaderId, ctx)
  const sort = readInteger(body.sort, 'sort', 10_000, before?.sort ?? 0)
  if (before === undefined)
    await trx
      .insertInto('department')
      .values({
        tenant_id: tenantId,
        id: deptId,
        parent_id: parentId,
        name,
        path,
        leader_id: leaderId,
        sort,
        created_by: caller.userId,
        updated_by: caller.userId,
      })
      .execute()
  else {
    await sql`update department set name = ${name}, parent_id = ${parentId}, leader_id = ${leaderId}, sort = ${sort},
        updated_by = ${caller.userId}, updated_at = ${now}, version = version + 1
      where tenant_id = ${tenantId} and id = ${deptId}`.execute(trx)
    await sql`update department set path = ${path} || substr(path, ${before.path.length + 1})
      where tenant_id = ${tenantId} and starts_with(path, ${before.path})`.execute(trx)
  }
  const record = (await readRows(ctx)).find((row) => row.id === deptId)
  return {
    data: { id: deptId, record: record as unknown as Json },
    recordId: deptId,
    detail: { before: (before ?? null) as unknown as Json, after: record as unknown as Json },
    people: before !== undefined && before.path !== path ? await peopleBelow(path, ctx) : [],
  }
}

/** Deletes a department that contains no people and no departments. @param body `id` */
export async function removeDept(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  const rows = await readRows(ctx)
  const found = rows.find((row) => row.id === givenId(body)) ?? notFound()
  const below = rows.filter((row) => row.parent_id === found.id).length
  if (found.members > 0 || below > 0)
    refuse(422, 'REFERENCED', text('admin.dept.used', { members: found.members, below }))
  await sql`update department set deleted_at = ${now}, updated_by = ${caller.userId}
    where tenant_id = ${caller.tenantId} and id = ${found.id}`.execute(trx)
  return { data: { id: found.id }, recordId: found.id, detail: { name: found.name } }
}

async function readRows({ trx, caller }: CallContext): Promise<readonly Row[]> {
  const { rows } =
    await sql<Row>`select d.id, d.parent_id, d.name, d.path, d.leader_id, l.name as leader_name, d.sort,
      (select count(*) from membership m where m.tenant_id = d.tenant_id and m.dept_id = d.id and m.status <> 'left'
        and m.deleted_at is null) as members
    from department d left join membership l on l.tenant_id = d.tenant_id and l.user_id = d.leader_id
    where d.tenant_id = ${caller.tenantId} and d.deleted_at is null order by d.sort, d.id`.execute(trx)
  return rows
}

function inOrder(parentId: string | null, depth: number, rows: readonly Row[]): readonly object[] {
  return rows
    .filter((row) => row.parent_id === parentId)
    .flatMap(({ path: _, ...row }) => [
      { ...row, depth, indent: '　　'.repeat(depth) },
      ...inOrder(row.id, depth + 1, rows),
    ])
}

function childrenOf(parentId: string | null, rows: readonly Row[]): readonly AdminDept[] {
  return rows
    .filter((row) => row.parent_id === parentId)
    .map(({ path: _, ...row }) => ({ ...row, children: childrenOf(row.id, rows) }))
}

async function refuseUnknownLeader(id: string | null, { trx, caller }: CallContext): Promise<void> {
  if (id === null) return
  const { rows } = await sql`select 1 from membership where tenant_id = ${caller.tenantId} and user_id = ${id}
    and status = 'enabled' and deleted_at is null`.execute(trx)
  if (rows.length === 0) invalid('leader_id')
}

async function peopleBelow(path: string, { trx, caller }: CallContext): Promise<readonly string[]> {
  const { rows } = await sql<{ user_id: string }>`select m.user_id from membership m
    join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
    where m.tenant_id = ${caller.tenantId} and starts_with(d.path, ${path}) and m.status = 'enabled'`.execute(
    trx,
  )
  return rows.map((row) => row.user_id)
}

function notFound(): never {
  return refuse(404, 'NOT_FOUND', text('call.not-found'))
}
