import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Trx } from '../../../src/server/kernel/db/database.ts'
import { openTestApp, type TestApp } from '../support.ts'
import { copyOf } from './support.ts'

/** Concurrent transactions: only on a PostgreSQL server, since the embedded database has one session. */
describe('concurrent transactions on PostgreSQL', () => {
  let server: TestApp
  beforeAll(async () => {
    if (!process.env.TEST_DATABASE_URL) throw new Error('TEST_DATABASE_URL names no PostgreSQL server')
    server = await openTestApp()
  })
  afterAll(() => server.close())

  const scope = { tenantId: 'xinghai', userId: 'u-demo' }
  const sign = (trx: Trx, account: string, word: string) =>
    sql`update membership set signature = signature || ${word}
      where tenant_id = 'xinghai' and user_id = ${`u-${account}`}`.execute(trx)
  const signatures = () =>
    server.database.system(async (trx) => {
      const { rows } = await sql<{ signature: string }>`select signature from membership
        where tenant_id = 'xinghai' and user_id in ('u-demo', 'u-zhaolei') order by user_id`.execute(trx)
      return rows.map(({ signature }) => [...signature].sort().join(''))
    })

  it('both complete once after a deadlock', async () => {
    let tries = 0
    const both = gate(2)
    const signBoth = (word: string, accounts: readonly [string, string]) =>
      server.database.tenant(scope, async (trx) => {
        tries += 1
        await sign(trx, accounts[0], word)
        await both.pass()
        await sign(trx, accounts[1], word)
      })

    await Promise.all([signBoth('a', ['demo', 'zhaolei']), signBoth('b', ['zhaolei', 'demo'])])

    // One of them is retried; again each time that it is faster than the one that waited.
    expect(tries).toBeGreaterThanOrEqual(3)
    expect(await signatures()).toEqual(['ab', 'ab'])
  })

  it('both complete after a serialisation conflict', async () => {
    let tries = 0
    // A tenant's transaction begins with a query of its settings, after which no isolation level can be chosen.
    await server.database.system(async (trx) => {
      tries += 1
      await sql`set transaction isolation level repeatable read`.execute(trx)
      await sql`select 1 from membership`.execute(trx)
      if (tries === 1)
        await outside(`update membership set signature = signature || 'c' where user_id = 'u-demo'`)
      await sign(trx, 'demo', 'd')
    })

    expect(tries).toBe(2)
    expect((await signatures())[0]).toBe('abcd')
  })

  it('do not hide a change that began early and committed late from a copy', async () => {
    const demo = await server.as('demo')
    const create = async (name: string): Promise<string> =>
      (await demo.post('/mini/customer/create', { name })).data.id
    const [early, late] = [await create('早开始的客户'), await create('后开始的客户')]
    const copy = copyOf(demo)
    await copy.pull()
    const told = async () => (await copy.pull()).flatMap(({ changed }) => changed.map(({ id }) => id))

    const open = new pg.Client({ connectionString: server.url ?? '' })
    await open.connect()
    await open.query('begin')
    await open.query('update customer set remark = $1 where id = $2', ['早', early])
    await demo.post('/mini/customer/patch', { ids: [late], level: 'A' })
    expect(await told()).toEqual([late])
    expect(await told()).toEqual([])
    await open.query('commit')
    await open.end()

    expect(await told()).toEqual([early])
    expect(copy.records.get(`customer/${early}`)?.remark).toBe('早')
    expect(await told()).toEqual([])
  })

  it('write no value of the old type after a field has been converted', async () => {
    const admin = await server.as('admin')
    const sized = (kind: string) => ({
      name: 'sized',
      label: '规格',
      title: 'title',
      behaviours: ['owned'],
      fields: [
        { name: 'title', kind: 'text', label: '标题', required: true },
        { name: 'size', kind, label: '规模' },
      ],
    })
    const save = (kind: string) => admin.post('/engine/web/module/save', { description: sized(kind) })
    expect((await save('text')).meta.code).toBe(200)
    const { id } = (await admin.post('/mini/m/sized/create', { title: '改类型时写的' })).data
    const write = (version: number, size: string) => admin.post('/mini/m/sized/update', { id, version, size })

    // The write has read the kind of the field, and waits for its record.
    const open = new pg.Client({ connectionString: server.url ?? '' })
    await open.connect()
    await open.query('begin')
    await open.query('select 1 from record where id = $1 for update', [id])
    const writing = write(1, '120')
    await expect.poll(() => waiting()).toBe(1)
    // The conversion to a number is either done by now, or waits for the write.
    let isSaved = false
    const saving = save('integer').finally(() => {
      isSaved = true
    })
    await expect.poll(async () => isSaved || (await waiting()) === 2).toBe(true)
    await open.query('commit')
    await open.end()
    const answers = await Promise.all([writing, saving])

    expect(answers.map(({ meta }) => meta.code)).toEqual([200, 200])
    const { record } = (await admin.get(`/mini/m/sized/detail?id=${id}`)).data
    expect(record.size).toBe(120)
    // A write that still uses a text is refused.
    expect((await write(record.version, '很大')).meta.code).toBe(400)
  })

  it('that make a module of one name: the first makes it, the second is refused', async () => {
    const admin = await server.as('admin')
    const save = (label: string) =>
      admin.post('/engine/web/module/save', {
        description: {
          name: 'twins',
          label,
          title: 'title',
          behaviours: ['owned'],
          fields: [{ name: 'title', kind: 'text', label: '标题' }],
        },
      })
    const open = new pg.Client({ connectionString: server.url ?? '' })
    await open.connect()
    await open.query('begin')
    await open.query(`select pg_advisory_xact_lock(hashtextextended('module/xinghai', 0))`)
    const both = ['甲', '乙'].map(save)
    await expect.poll(() => waiting()).toBe(2)
    await open.query('commit')
    await open.end()
    const answers = (await Promise.all(both)).toSorted((a, b) => a.meta.code - b.meta.code)
    const { data } = await admin.get('/engine/web/module/detail?name=twins')

    expect(answers.map(({ meta }) => meta.error?.type ?? meta.code)).toEqual([200, 'VERSION_CONFLICT'])
    expect(answers[1]?.data).toMatchObject({ version: 1, current: { label: data.description.label } })
    // Without a base whatever is there is replaced.
    expect((await save('丙')).data).toMatchObject({ version: 2 })
  })

  /** Sessions of this database that wait for a lock. */
  async function waiting(): Promise<number> {
    const { rows } = await server.database.system((trx) =>
      sql<{ n: number }>`select count(*)::int as n from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.datname = current_database()`.execute(trx),
    )
    return rows[0]?.n ?? 0
  }

  async function outside(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: server.url ?? '' })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
})

/** Opens permanently once that many have arrived. */
function gate(size: number) {
  let come = 0
  let open: () => void = () => undefined
  const isOpen = new Promise<void>((done) => {
    open = done
  })
  return {
    async pass() {
      come += 1
      if (come >= size) open()
      await isOpen
    },
  }
}
