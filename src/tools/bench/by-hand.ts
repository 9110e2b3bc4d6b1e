import fastify from 'fastify'
import pg from 'pg'

/**
 * Four calls as somebody would write them by hand: one transaction, the tenant set, named statements, only the visible columns. No permissions,
 * masks, history, duplicate check or form checks: the minimum cost. Started by `server.ts`, which reads its port from standard output.
 */
const { DATABASE_URL = '', TENANT = '', OWNER = '' } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
const app = fastify()

async function inTenant<T>(work: (client: pg.PoolClient) => Promise<T>) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({
      name: 'tenant',
      text: `select set_config('app.tenant', $1, true)`,
      values: [TENANT],
    })
    const data = await work(client)
    await client.query('commit')
    return { meta: { code: 200 }, data }
  } finally {
    client.release()
  }
}

const CARD = `select c.id, c.name, c.level, c.deal_status, c.lock_status, c.region, c.tags, c.last_follow_at, c.last_follow_content,
    c.next_follow_at, c.expire_at, c.follow_status, c.created_at, c.owner_id, o.name as owner_name, k.name as contact_name, k.mobile
  from customer c
  left join contact k on k.tenant_id = c.tenant_id and k.id = c.primary_contact_id
  left join membership o on o.tenant_id = c.tenant_id and o.user_id = c.owner_id
  where c.tenant_id = $1 and c.deleted_at is null`
const PAGE = `${CARD} and c.owner_id = $2 order by c.last_follow_at desc nulls last, c.id desc limit 21`

app.post('/list', () =>
  inTenant(async (client) => {
    const { rows } = await client.query({ name: 'list', text: PAGE, values: [TENANT, OWNER] })
    return { list: rows.slice(0, 20), hasMore: rows.length > 20 }
  }),
)
app.post<{ Body: { id: string } }>('/detail', ({ body }) =>
  inTenant(async (client) => {
    const { rows } = await client.query({
      name: 'detail',
      text: `${CARD} and c.id = $2`,
      values: [TENANT, body.id],
    })
    return rows[0]
  }),
)
// A row, and its row in the log.
app.post<{ Body: { id: string } }>('/write', ({ body }) =>
  inTenant(async (client) => {
    await client.query({
      name: 'row',
      text: 'insert into by_hand.record values ($1, $2, $3)',
      values: [TENANT, body.id, body],
    })
    await client.query({
      name: 'log',
      text: 'insert into by_hand.log values ($1, $2, $3)',
      values: [TENANT, body.id, body],
    })
    return { id: body.id }
  }),
)

await pool.query(`create schema by_hand;
  create table by_hand.record (tenant_id text, id text, body jsonb, primary key (tenant_id, id));
  create table by_hand.log (tenant_id text, id text, body jsonb)`)
console.log(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
