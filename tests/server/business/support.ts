import { sql } from 'kysely'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { SyncChanges } from '../../../src/contract/sync.ts'
import type { Database } from '../../../src/server/kernel/db/database.ts'
import type { Client, TestApp } from '../support.ts'

const SESSION_MS = 6 * 3_600_000

/** A demo person who signs in again when the test has moved the clock past the end of their session. */
export function person(server: TestApp, account: string): Client {
  let signedIn: { readonly client: Promise<Client>; readonly at: number } | null = null
  const client = () => {
    const { now } = server.clock
    if (signedIn === null || Math.abs(now - signedIn.at) > SESSION_MS)
      signedIn = { client: server.as(account, `device-${account}`), at: now }
    return signedIn.client
  }
  return {
    token: '',
    get: async (url, headers) => (await client()).get(url, headers),
    post: async (url, body) => (await client()).post(url, body),
  }
}

/** A client's copy, built from `/mini/sync/changes` alone: `customer/<id>` → record. */
export interface Copy {
  readonly records: Map<string, SyncChanges['changed'][number]['record']>
  /** Pulls until there is no more. @returns the answers */
  pull(): Promise<readonly SyncChanges[]>
}

/** An empty copy of somebody's records. @param entities  absent: all they may see */
export function copyOf(client: Client, entities?: readonly string[]): Copy {
  const records = new Map<string, SyncChanges['changed'][number]['record']>()
  let since: string | null = null
  return {
    records,
    async pull() {
      const answers: SyncChanges[] = []
      do {
        const answer = await client.post('/mini/sync/changes', { since, ...(entities ? { entities } : {}) })
        if (answer.meta.code !== 200) throw new Error(answer.body)
        const data: SyncChanges = answer.data
        if (data.reset) records.clear()
        for (const { entity, id, record } of data.changed) records.set(`${entity}/${id}`, record)
        for (const { entity, id } of data.deleted) records.delete(`${entity}/${id}`)
        answers.push(data)
        since = data.next
      } while (answers.at(-1)?.hasMore)
      return answers
    },
  }
}

/** The ids of all rows of a list. */
export async function idsInList(
  client: Client,
  path: string,
  body: JsonObject = {},
): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const { data } = await client.post(path, { ...body, limit: 100, cursor })
    ids.push(...data.list.map((row: { id: string }) => row.id))
    cursor = data.nextCursor
  } while (cursor !== null)
  return ids.sort()
}

/** Contacts and follow-ups whose stored owner (migration 0290) differs from that of the records they belong to. */
export async function misplaced(database: Database): Promise<readonly string[]> {
  const at = (
    entity: string,
    pool: string,
  ) => sql`select f.tenant_id, ${entity} as entity, r.id as record_id, f.id, f.followed_at,
      case when r.deleted_at is null then r.owner_id end as owner_id,
      case when r.deleted_at is null then r.owner_dept_id end as owner_dept_id,
      case when r.deleted_at is null then ${sql.raw(pool)} end as pool_id
    from follow f join ${sql.table(entity)} r on r.tenant_id = f.tenant_id and r.id = ${sql.ref(`f.${entity}_id`)}
    where f.deleted_at is null`
  const right = sql`${at('customer', 'r.pool_id')} union all ${at('lead', 'r.pool_id')}
    union all ${at('bussiness', 'r.pool_id')} union all ${at('contract', 'null::text')}`
  const kept = sql`select tenant_id, entity, record_id, id, followed_at, owner_id, owner_dept_id, pool_id from follow_place`
  const { rows } = await database.system((trx) =>
    sql<{ what: string }>`select 'contact ' || k.id as what from contact k
        join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
        where k.owner_id is distinct from (case when c.deleted_at is null then c.owner_id end)
          or k.owner_dept_id is distinct from (case when c.deleted_at is null then c.owner_dept_id end)
      union all select 'missing ' || entity || ' ' || id from ((${right}) except all (${kept})) gone
      union all select 'left ' || entity || ' ' || id from ((${kept}) except all (${right})) more`.execute(
      trx,
    ),
  )
  return rows.map(({ what }) => what)
}
