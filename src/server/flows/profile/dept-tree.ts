import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'

interface Row {
  readonly id: string
  readonly parent_id: string | null
  readonly name: string
  readonly members: number
}

/** GET /mini/dept/tree (DOMAIN 8.2): the departments for pickers, nested and as a list whose labels contain the full path. */
export async function deptTree({ trx, caller }: CallContext) {
  const { rows } = await sql<Row>`select d.id, d.parent_id, d.name,
      (select count(*) from membership m where m.tenant_id = d.tenant_id and m.dept_id = d.id and m.status <> 'left'
        and m.deleted_at is null) as members
    from department d where d.tenant_id = ${caller.tenantId} and d.deleted_at is null order by d.sort, d.id`.execute(
    trx,
  )
  return { tree: nested(null, rows), list: flat(null, '', rows) }
}

function nested(parentId: string | null, rows: readonly Row[]): readonly JsonObject[] {
  return rows
    .filter((row) => row.parent_id === parentId)
    .map((row) => ({
      value: row.id,
      label: row.name,
      members: row.members,
      children: [...nested(row.id, rows)],
    }))
}

function flat(parentId: string | null, above: string, rows: readonly Row[]): readonly JsonObject[] {
  return rows
    .filter((row) => row.parent_id === parentId)
    .flatMap((row) => {
      const label = above === '' ? row.name : `${above} / ${row.name}`
      return [{ value: row.id, label, members: row.members }, ...flat(row.id, label, rows)]
    })
}
