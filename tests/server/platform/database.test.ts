import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tenantTableFaults } from '../../../src/server/kernel/db/catalogue.ts'
import type { Database, Trx } from '../../../src/server/kernel/db/database.ts'
import { newId } from '../../../src/server/kernel/db/id.ts'
import { json } from '../../../src/server/kernel/db/json.ts'
import { MIGRATIONS, migrate } from '../../../src/server/kernel/db/migrate.ts'
import { openTestDatabase } from '../support.ts'

let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  ;({ database, drop } = await openTestDatabase())
  await database.system(async (trx) => {
    for (const id of ['t1', 't2']) {
      await trx.insertInto('tenant').values({ id, code: id, name: id }).execute()
      await trx.insertInto('dict_type').values({ tenant_id: id, key: 'level', name: '级别' }).execute()
    }
  })
})
afterAll(() => drop())

const asUser = <T>(tenantId: string, work: Parameters<Database['tenant']>[1]) =>
  database.tenant({ tenantId, userId: 'u1' }, work) as Promise<T>

describe('the triggers that add up figures', () => {
  it('are asked by changes of exactly those columns that decide what a row counts for', async () => {
    const { rows } = await database.owner((trx) =>
      sql<{ of: string; asked: string[]; source: string }>`select c.relname as of, p.prosrc as source,
          array(select attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = any(t.tgattr)) as asked
        from pg_trigger t join pg_class c on c.oid = t.tgrelid
        join pg_proc p on p.proname = 'crm_stat_of' and p.proargtypes[0] = c.reltype
        where t.tgname = 'stat_day_changed' order by c.relname`.execute(trx),
    )

    expect(rows.map((row) => row.of)).toEqual(['bussiness', 'contract', 'customer', 'follow', 'payment'])
    for (const { of, asked, source } of rows) {
      const read = new Set(Array.from(source.matchAll(/\bx\.(\w+)/g), ([, column]) => column))
      expect(asked.toSorted(), of).toEqual([...read].sort())
    }
  })
})

describe('tenant transactions', () => {
  it('show only rows of their tenant, even without a predicate', async () => {
    const rows = await asUser('t1', (trx) => trx.selectFrom('dict_type').selectAll().execute())

    expect(rows).toEqual([{ tenant_id: 't1', key: 'level', name: '级别', tree: false, system: false }])
  })

  it('cannot write a row of another tenant', async () => {
    const attempt = asUser('t1', (trx) =>
      trx.insertInto('dict_type').values({ tenant_id: 't2', key: 'x', name: 'x' }).execute(),
    )

    await expect(attempt).rejects.toThrow(/row-level security/)
  })

  it('cannot change or delete a row of another tenant', async () => {
    const changed = await asUser<{ numUpdatedRows: bigint }>('t1', (trx) =>
      trx.updateTable('dict_type').set({ name: 'taken' }).where('tenant_id', '=', 't2').executeTakeFirst(),
    )
    const deleted = await asUser<{ numDeletedRows: bigint }>('t1', (trx) =>
      trx.deleteFrom('dict_type').where('tenant_id', '=', 't2').executeTakeFirst(),
    )

    expect([changed.numUpdatedRows, deleted.numDeletedRows]).toEqual([0n, 0n])
  })

  it('cannot read persons, sessions or audit rows of others, nor change the audit log', async () => {
    await expect(asUser('t1', (trx) => trx.selectFrom('app_user').selectAll().execute())).rejects.toThrow(
      /permission/,
    )
    await expect(asUser('t1', (trx) => trx.selectFrom('session').selectAll().execute())).rejects.toThrow(
      /permission/,
    )
    await expect(asUser('t1', (trx) => trx.deleteFrom('audit_log').execute())).rejects.toThrow(/permission/)
  })

  it('refuse ids that could end the opening statement', async () => {
    await expect(asUser("t1'; drop table menu; --", async () => 1)).rejects.toThrow(/letters/)
  })

  it('leave no tenant setting for the next transaction', async () => {
    await asUser('t1', async () => undefined)

    const left = await database.owner(async (trx) =>
      sql<{
        t: string | null
        r: string
      }>`select current_setting('app.tenant', true) as t, current_role as r`.execute(trx),
    )

    expect(left.rows[0]?.t ?? '').toBe('')
    expect(left.rows[0]?.r).not.toMatch(/^crm_/)
  })

  it('roll back completely if the work throws', async () => {
    const attempt = asUser('t1', async (trx) => {
      await trx.insertInto('dict_type').values({ tenant_id: 't1', key: 'lost', name: 'x' }).execute()
      throw new Error('no')
    })

    await expect(attempt).rejects.toThrow('no')
    const rows = await asUser<unknown[]>('t1', (trx) => trx.selectFrom('dict_type').selectAll().execute())
    expect(rows).toHaveLength(1)
  })

  it('end with their last statement: they commit if it succeeds, and roll back if it fails', async () => {
    const add = (key: string, last: string) =>
      asUser('t1', async (trx) => {
        await trx.insertInto('dict_type').values({ tenant_id: 't1', key, name: 'x' }).execute()
        // Nobody awaits it.
        trx
          .insertInto('dict_type')
          .values({ tenant_id: last, key: `${key}-last`, name: 'x' })
          .execute()
          .catch(() => undefined)
        return key
      })

    expect(await add('kept', 't1')).toBe('kept')
    await expect(add('undone', 't2')).rejects.toThrow(/row-level security/)

    const rows = await asUser<{ key: string }[]>('t1', (trx) =>
      trx.selectFrom('dict_type').select('key').orderBy('key').execute(),
    )
    expect(rows.map(({ key }) => key)).toEqual(['kept', 'kept-last', 'level'])
    await asUser('t1', (trx) => trx.deleteFrom('dict_type').where('key', 'like', 'kept%').execute())
  })

  it('fail with the first failed one of several statements asked at once, and those behind it work the next time', async () => {
    const ask = (by: number) =>
      asUser<PromiseSettledResult<{ rows: unknown }>[]>('t1', (trx) =>
        Promise.allSettled([
          sql`select 1 as before`.execute(trx),
          sql`select 6 / ${by}::int as result`.execute(trx),
          sql`select 2 as behind`.execute(trx),
        ]),
      )
    // The statements are prepared with their second use: once in a batch that fails, once in one that does not.
    for (const by of [0, 0, 2, 0, 3]) {
      const [before, divided, behind] = await ask(by)
      expect(before).toMatchObject({ value: { rows: [{ before: 1 }] } })
      if (by === 0) {
        expect(divided).toMatchObject({ reason: { message: 'division by zero' } })
        expect(behind?.status).toBe('rejected')
      } else {
        expect(divided).toMatchObject({ value: { rows: [{ result: 6 / by }] } })
        expect(behind).toMatchObject({ value: { rows: [{ behind: 2 }] } })
      }
    }
  })

  it('refuse a value that cannot be sent before anything of its statement is', async () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    const attempt = asUser('t1', (trx) => sql`select ${circle}::jsonb`.execute(trx))

    await expect(attempt).rejects.toThrow(/circular/i)
    expect(await asUser('t1', async (trx) => (await sql`select 1 as n`.execute(trx)).rows)).toEqual([
      { n: 1 },
    ])
  })

  it('never interleave: concurrent read-then-write counts are correct under a row lock', async () => {
    await database.system((trx) =>
      trx.updateTable('tenant').set({ max_users: 0 }).where('id', '=', 't1').execute(),
    )

    await Promise.all(
      Array.from({ length: 20 }, () =>
        database.system(async (trx) => {
          const row = await trx
            .selectFrom('tenant')
            .select('max_users')
            .where('id', '=', 't1')
            .forUpdate()
            .executeTakeFirstOrThrow()
          await trx
            .updateTable('tenant')
            .set({ max_users: row.max_users + 1 })
            .where('id', '=', 't1')
            .execute()
        }),
      ),
    )

    const row = await database.system((trx) =>
      trx.selectFrom('tenant').select('max_users').where('id', '=', 't1').executeTakeFirstOrThrow(),
    )
    expect(row.max_users).toBe(20)
  })

  it('refuse to nest instead of deadlocking', async () => {
    await expect(database.system(() => database.system(async () => 1))).rejects.toThrow(
      /inside a transaction/,
    )
  })

  it.each([
    ['40P01', 3],
    ['40001', 3],
    ['23505', 1],
  ])('that end with %s are tried %i times, and leave nothing', async (code, times) => {
    let tries = 0
    const work = database.system(async (trx) => {
      tries += 1
      await trx.updateTable('tenant').set({ short_name: code }).where('id', '=', 't1').execute()
      await sql`${sql.raw(`do $$ begin raise exception 'broken off' using errcode = '${code}'; end $$`)}`.execute(
        trx,
      )
    })

    await expect(work).rejects.toThrow('broken off')
    expect(tries).toBe(times)
    const row = await database.system((trx) =>
      trx.selectFrom('tenant').select('short_name').where('id', '=', 't1').executeTakeFirstOrThrow(),
    )
    expect(row.short_name).toBe('')
  })

  it('read the same JavaScript values from both databases', async () => {
    const { rows } = await database.system((trx) =>
      sql`select 12.50::numeric as money, 9007199254740991::int8 as big, date '2026-02-28' as day,
        ${json([{ a: '中' }])} as list, timestamptz '2026-01-01 08:00+08' as at, array['a','b'] as names`.execute(
        trx,
      ),
    )

    expect(rows[0]).toEqual({
      money: 12.5,
      big: 9007199254740991,
      day: '2026-02-28',
      list: [{ a: '中' }],
      at: new Date('2026-01-01T00:00:00Z'),
      names: ['a', 'b'],
    })
  })

  it('notify listeners after the commit, and not after a rollback', async () => {
    const heard: string[] = []
    const stop = await database.listen(
      'test_channel',
      (payload) => heard.push(payload),
      () => undefined,
    )

    await database.system((trx) => database.notify(trx, 'test_channel', 'kept'))
    await database
      .system(async (trx) => {
        await database.notify(trx, 'test_channel', 'dropped')
        throw new Error('no')
      })
      .catch(() => undefined)
    await database.system((trx) => database.notify(trx, 'test_channel', 'last'))

    await expect.poll(() => heard).toEqual(['kept', 'last'])
    await stop()
  })
})

describe('a repeated statement', () => {
  const row = (n: number) => ({
    n,
    text: `第${n}`,
    none: null,
    at: new Date(n * 1000),
    list: ['a', String(n)],
  })
  const ask = (trx: Trx, n: number) =>
    sql`select ${n}::int as n, ${`第${n}`}::text as text, null::text as none, to_timestamp(${n}) as at,
      ${['a', String(n)]}::text[] as list`.execute(trx)

  it('has the same result as the first time, alone and with others running', async () => {
    const rows = await asUser<unknown[]>('t1', async (trx) => {
      const alone = [await ask(trx, 1), await ask(trx, 2), await ask(trx, 3)]
      const together = await Promise.all([4, 5, 6].map((n) => ask(trx, n)))
      return [...alone, ...together].flatMap((one) => one.rows)
    })

    expect(rows).toEqual([1, 2, 3, 4, 5, 6].map(row))
  })

  it('is correct even after its first executions failed', async () => {
    const cast = (trx: Trx, text: string) => sql<{ n: number }>`select ${text}::int as n`.execute(trx)
    for (const _ of [1, 2, 3])
      await expect(asUser('t1', (trx) => cast(trx, 'kein'))).rejects.toThrow(/invalid input syntax/)
    const told = await asUser<{ rows: unknown[] }>('t1', (trx) => cast(trx, '7'))

    expect(told.rows).toEqual([{ n: 7 }])
  })

  it('fails before it is sent if a value cannot be encoded, and its session continues', async () => {
    const ring: Record<string, unknown> = {}
    ring.self = ring
    const told = await asUser<unknown>('t1', async (trx) => {
      await expect(sql`select ${ring}::jsonb`.execute(trx)).rejects.toThrow(/circular/i)
      return (await ask(trx, 8)).rows
    })

    expect(told).toEqual([row(8)])
  })
})

describe('the catalogue check', () => {
  it('finds no fault in our own tables', async () => {
    expect(await database.owner(tenantTableFaults)).toEqual([])
  })

  it.each([
    ['create table bad (id text primary key)', 'bad: no not-null column tenant_id'],
    [
      "create table bad (tenant_id text not null, id text primary key); select crm_guard('bad')",
      'bad: unique index "bad_pkey" does not start with tenant_id',
    ],
    [
      'create table bad (tenant_id text not null, id text, primary key (tenant_id, id))',
      'bad: row-level security is not enabled and forced',
    ],
    [
      `create table bad (tenant_id text not null, id text, up text, primary key (tenant_id, id)); select crm_guard('bad');
       create unique index bad_up on bad (up); alter table bad add foreign key (up, tenant_id) references department (id, tenant_id)`,
      'bad: unique index "bad_up" does not start with tenant_id',
    ],
    [
      `create table bad (tenant_id text not null, id text, primary key (tenant_id, id)); select crm_guard('bad');
       create policy open_door on bad to public using (true)`,
      'bad: policy "open_door" opens it to other roles',
    ],
    ['grant select on app_user to crm_app', 'app_user: the application role may read this global table'],
  ])('refuses %s', async (statements, fault) => {
    const found = database.owner(async (trx) => {
      for (const one of statements.split(';').filter((s) => s.trim() !== '')) {
        await sql
          .raw(one)
          .execute(trx)
          .catch((error: Error) => {
            throw error
          })
      }
      throw new Undo(await tenantTableFaults(trx))
    })

    const undo = await found.catch((error: unknown) => error)
    expect(undo).toBeInstanceOf(Undo)
    expect((undo as Undo).faults).toContain(fault)
  })
})

describe('migrations', () => {
  it('run once', async () => {
    expect(await migrate(database)).toEqual([])
  })

  it('refuse a file that was edited after it ran', async () => {
    const edited = { ...MIGRATIONS, '0001-platform.sql': `${MIGRATIONS['0001-platform.sql']}\nselect 1;` }

    await expect(migrate(database, edited)).rejects.toThrow(/0001-platform.sql was edited/)
  })

  it('leave nothing behind if one of them fails', async () => {
    const more = { ...MIGRATIONS, '9999-bad.sql': 'create table half (id int);\nselect nonsense;' }

    await expect(migrate(database, more)).rejects.toThrow(/nonsense/)
    expect(await migrate(database)).toEqual([])
  })
})

describe('ids', () => {
  it('increase strictly, also within one millisecond and beyond its 4,096 values', () => {
    const ids = Array.from({ length: 10_000 }, () => newId(1_700_000_000_000))

    expect([...ids].sort()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})

/** Carries a result out of a transaction that is rolled back. */
class Undo extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super('undo')
    this.faults = faults
  }
}
