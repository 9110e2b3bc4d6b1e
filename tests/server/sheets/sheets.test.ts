import { sql } from 'kysely'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { type Cell, createSheetWriter } from '../../../src/server/flows/sheets/write-sheet.ts'
import { createApp } from '../../../src/server/http/app.ts'
import { createLog } from '../../../src/server/kernel/config/log.ts'
import { newId } from '../../../src/server/kernel/db/id.ts'
import { PEOPLE } from '../images.ts'
import { type Client, openTestApp, SECRET_OF_TESTS, type TestApp } from '../support.ts'
import { finished, readSheetOf, uploadedBytes } from './finished-job.ts'

let server: TestApp
let manager: Client
let director: Client
/** Database sessions that ended by themselves. */
const lost: Error[] = []
beforeAll(async () => {
  server = await openTestApp({}, PEOPLE, undefined, (error) => void lost.push(error))
  manager = await server.as('manager')
  director = await server.as('director')
})
afterAll(async () => {
  await server.close()
  expect(lost.length).toBe(1)
})

describe('export', () => {
  it('writes what the caller sees, labels for values, and no formula', async () => {
    await manager.post('/mini/customer/create', {
      name: '=HYPERLINK("http://x")公司',
      level: 'A',
      mobile: '13900000001',
    })
    await director.post('/mini/customer/create', { name: '经理自己的公司' })

    const job = await finished(manager, await manager.post('/mini/customer/export', { tab: 'mine' }))
    const rows = await sheetOf(job.fileUrl)

    expect(job).toMatchObject({ status: 'done', progress: 100, ok: 1, message: '已导出 1 条' })
    expect(rows).toHaveLength(2)
    const row = Object.fromEntries((rows[0] ?? []).map((title, at) => [title, rows[1]?.[at]]))
    expect(row).toMatchObject({
      客户名称: `'=HYPERLINK("http://x")公司`,
      客户级别: '重点客户',
      手机: '13900000001',
      负责人: expect.any(String),
    })
  })

  it.each([
    [
      'customer',
      'customer',
      { mobile: '13971000001', contacts: [{ name: '秘密联系人', mobile: '13971000002' }] },
    ],
    ['contact', 'customer', { contacts: [{ name: '秘密联系人', mobile: '13971000003' }] }],
    ['lead', 'lead', { contact_name: '秘密联系人', mobile: '13971000004', source: 'website' }],
  ])('of %s reveals nothing that a pool masks (DOMAIN 8.8 no. 8)', async (entity, owned, given) => {
    const name = `公海导出${entity}公司`
    const sheet = async (body: { [key: string]: Json }) => {
      const job = await finished(manager, await manager.post(`/mini/${entity}/export`, body))
      return JSON.stringify(await sheetOf(job.fileUrl))
    }
    const made = await manager.post(`/mini/${owned}/create`, { name, ...given })
    const before = await sheet({})
    const released = await manager.post(`/mini/${owned}/release`, { ids: [made.data.id], reason: 'other' })
    const asked = [{}, { keyword: name }, { keyword: '1397100' }, { keyword: '秘密' }]
    const after: string[] = []
    for (const body of asked) after.push(await sheet(body))

    expect(before).toMatch(/1397100000\d/)
    expect(released.data.ok).toEqual([made.data.id])
    expect(after.join()).not.toMatch(/1397100000\d|秘密联系人/)
  })

  it('omits fields that the user may not see', async () => {
    await asSystem(`update role set field_rights = '{"customer":{"mobile":"masked","remark":"hidden"}}'
      where tenant_id = (select id from tenant where name = '星海科技') and code = 'sales_director'`)
    const boss = await server.as('director')

    const job = await finished(boss, await boss.post('/mini/customer/export', {}))
    const [titles, ...rows] = await sheetOf(job.fileUrl)

    expect(titles).not.toContain('备注')
    const phones = rows.map((row) => row[(titles ?? []).indexOf('手机')])
    expect(phones).toContain('139****0001')
    expect(JSON.stringify(rows)).not.toContain('13900000001')
  })

  it('is downloaded by its own user, by a URL that expires', async () => {
    const job = await finished(manager, await manager.post('/mini/lead/export', {}))
    const plain = job.fileUrl.split('?')[0] ?? ''

    expect((await director.get(`/mini/job/detail?id=${job.id}`)).meta.code).toBe(404)
    expect((await manager.get(plain)).meta.code).toBe(404)
    expect((await server.with(null).get(job.fileUrl)).status).toBe(200)
    server.clock.now += 601_000
    expect((await server.with(null).get(job.fileUrl)).meta?.code).not.toBe(200)
    server.clock.now += 25 * 3_600_000
    const again = await server.as('manager')
    const { list } = (await again.post('/mini/job/list')).data
    expect(list.find((one: { id: string }) => one.id === job.id).fileUrl).toBeNull()
    manager = again
    director = await server.as('director')
  })

  it('is refused without the right, and beyond three at once', async () => {
    const finance = await server.as('finance')
    expect((await finance.post('/mini/lead/export', {})).meta.code).toBe(405)

    await asSystem(`insert into work (tenant_id, id, user_id, session_id, kind, entity, title, input, status, beat_at, expires_at)
      select tenant_id, 'busy-' || n, user_id, 's', 'export', 'lead', 't', '{}', 'running', timestamptz '2030-01-01', timestamptz '2030-01-01'
      from membership, generate_series(1, 3) n where name = '李明轩' and tenant_id = (select id from tenant where name = '星海科技')`)
    const answer = await manager.post('/mini/lead/export', {})
    await asSystem(`delete from work where id like 'busy-%'`)

    expect([answer.meta.code, answer.meta.message]).toEqual([
      422,
      '企业内同时进行的导入导出最多 3 个，请等其中一个完成后再试',
    ])
  })
})

describe('import', () => {
  const TITLES = ['客户名称*', '客户级别', '手机', '标签', '备注']

  it('accepts a csv file, in UTF-8 or in the encoding of a Chinese Windows, like a sheet', async () => {
    const utf8 = Buffer.from('\ufeff客户名称;客户级别;备注\r\n逗号文件公司;重点客户;"一行\n二行"\r\n')
    const gb = Buffer.from('bfcdbba7c3fbb3c62cb1b8d7a20a47423138303330b9abcbbe2c3d2230303132220a', 'hex')

    for (const [content, name] of [
      [utf8, '客户.csv'],
      [gb, 'KEHU.CSV'],
    ] as const) {
      const fileId = await uploadedBytes(server, manager, content, name)
      const job = await finished(manager, await manager.post('/mini/customer/import/start', { fileId }))
      expect(job).toMatchObject({ status: 'done', total: 1, ok: 1 })
    }

    const { data } = await manager.post('/mini/customer/list', { keyword: 'GB18030公司' })
    expect(data.list.map((row: { name: string }) => row.name)).toEqual(['GB18030公司'])
  })

  it('creates each row by the rules of the form, and returns refused rows with the reason', async () => {
    const fileId = await uploaded(manager, [
      TITLES,
      ['导入一号公司', '重点客户', '13911110001', null, "'=不是公式"],
      ['导入二号公司', '没有的级别', null, null, null],
      [null, '重点客户', '13911110002', null, null],
      ['导入四号公司', 'B', 13911110003, null, null],
      ['导入一号公司', null, null, null, '重复'],
    ])

    const job = await finished(manager, await manager.post('/mini/customer/import/start', { fileId }))

    expect(job).toMatchObject({
      status: 'done',
      total: 5,
      ok: 2,
      failed: 3,
      message: '导入成功 2 条，失败 3 条',
    })
    const [titles, ...errors] = await sheetOf(job.fileUrl)
    expect(titles?.slice(0, 3)).toEqual(['行号', '失败原因', '客户名称*'])
    expect(errors.map((row) => row[0])).toEqual(['3', '4', '6'].map(Number))
    expect(errors.map((row) => String(row[1]))).toEqual([
      expect.stringContaining('客户级别'),
      expect.stringContaining('客户名称'),
      expect.stringContaining('已存在'),
    ])
    expect(job.refused).toEqual([
      { at: 3, column: '客户级别', reason: errors[0]?.[1] },
      { at: 4, column: '客户名称*', reason: errors[1]?.[1] },
      { at: 6, column: expect.any(String), reason: errors[2]?.[1] },
    ])
    const { list } = (await manager.post('/mini/customer/list', { keyword: '导入一号' })).data
    const { record } = (await manager.get(`/mini/customer/detail?id=${list[0].id}`)).data
    expect(record).toMatchObject({ level: 'A', mobile: '13911110001', remark: '=不是公式' })
  })

  it('guesses the columns of the user’s own file, shows the first rows, and applies the chosen columns', async () => {
    const fileId = await uploaded(manager, [
      ['单位', '等级', '手机号', '省市区', '跟单员', '说明'],
      ['核对一号公司', '重点客户', '13911110011', '广东省/深圳市/南山区', '小王', '第一行'],
      ['核对二号公司', '没有的级别', '139', '火星', '小李', null],
    ])
    const preview = (mapping?: readonly (string | null)[]) =>
      manager.post('/mini/customer/import/preview', { fileId, ...(mapping && { mapping }) })

    const guessed = (await preview()).data
    const chosen = ['name', 'level', 'mobile', 'region', null, 'remark']
    const seen = (await preview(chosen)).data
    const unmapped = await manager.post('/mini/customer/import/start', { fileId, mapping: [null, 'level'] })
    const twice = await preview(['name', 'name'])
    const doubled = await manager.post('/mini/customer/import/start', { fileId, mapping: ['name', 'name'] })
    const job = await finished(
      manager,
      await manager.post('/mini/customer/import/start', { fileId, mapping: chosen }),
    )

    expect(guessed.columns.map((one: { field: string | null }) => one.field)).toEqual([
      null,
      ...chosen.slice(1),
    ])
    expect([guessed.missing, guessed.unmatched]).toEqual([['客户名称'], ['单位', '跟单员']])
    expect([seen.missing, seen.total]).toEqual([[], 2])
    expect(seen.rows[0].lines).toContain('省/市/区：广东省/深圳市/南山区')
    expect(seen.rows.map(({ fault }: { fault: string }) => fault)).toEqual([
      '',
      expect.stringMatching(/手机格式不正确/),
    ])
    expect([unmapped.meta.code, unmapped.meta.message]).toEqual([400, expect.stringContaining('客户名称')])
    expect(twice.data.repeated).toEqual(['客户名称'])
    expect(doubled.meta.message).toBe('「客户名称」对应了两列，请只保留一列')
    expect(job).toMatchObject({ ok: 1, failed: 1 })
    const { list } = (await manager.post('/mini/customer/list', { keyword: '核对一号' })).data
    expect(list).toMatchObject([{ city_name: '深圳市', mobile: '13911110011' }])
    const own = await finished(manager, await manager.post('/mini/customer/export', { ids: [list[0].id] }))
    expect((await sheetOf(own.fileUrl))[1]).toContain('广东省/深圳市/南山区')
  })

  it('tells all faults of a row together, whoever its owner is: before, in a check, and in an import', async () => {
    const fileId = await uploaded(manager, [
      ['客户名称', '客户级别', '手机', '负责人'],
      ['负责人不明公司', '没有的级别', '139', '无此人'],
      ['只有负责人不明公司', null, null, '无此人'],
    ])
    const unknown = '没有叫“无此人”的同事'
    const all = [['客户级别不在可选范围内', '手机格式不正确', unknown], [unknown]]
    const each = (reasons: readonly unknown[]) => reasons.map((reason) => String(reason).split('；').sort())

    const { rows } = (await manager.post('/mini/customer/import/preview', { fileId })).data
    const job = await finished(manager, await manager.post('/mini/customer/import/start', { fileId }))
    const checked = await finished(manager, await manager.post('/mini/customer/import/check', { fileId }))
    const reasons = async ({ fileUrl }: { fileUrl: string }) =>
      each((await sheetOf(fileUrl)).slice(1).map(([, reason]) => reason))

    expect(await reasons(job)).toEqual(all)
    expect(await reasons(checked)).toEqual(all)
    expect(each(rows.map(({ fault }: { fault: string }) => fault))).toEqual(all)
    expect((await manager.post('/mini/customer/list', { keyword: '负责人不明' })).data.list).toEqual([])
  })

  it('checks a file without any change', async () => {
    const fileId = await uploaded(manager, [TITLES, ['只是检查的公司', null, null, null, null]])

    const job = await finished(manager, await manager.post('/mini/customer/import/check', { fileId }))

    expect(job).toMatchObject({ status: 'done', message: '可以导入 1 条，有问题 0 条', fileUrl: null })
    expect((await manager.post('/mini/customer/list', { keyword: '只是检查' })).data.list).toEqual([])
  })

  it('counts rows that repeat an earlier one as refused, as the import then does', async () => {
    const rows = [
      ['客户名称', '统一社会信用代码', '手机', '联系人手机', '联系人'],
      ['同名检查有限公司', null, '13933330001', null, null],
      ['同名检查', null, null, null, null],
      ['号码检查', null, null, '13933330001', '何立'],
      ['代码检查一', '91440300708461136T', null, null, null],
      ['代码检查二', '91440300708461136T', null, null, null],
      ['没有重复', null, '13933330002', null, null],
      ['手机不对', null, '139', null, null],
      ['手机不对', null, '13933330003', null, null],
    ]
    const fileId = await uploaded(manager, rows)

    const checked = await finished(manager, await manager.post('/mini/customer/import/check', { fileId }))
    const updating = await finished(
      manager,
      await manager.post('/mini/customer/import/check', { fileId, mode: 'update' }),
    )
    const job = await finished(manager, await manager.post('/mini/customer/import/start', { fileId }))

    expect(checked).toMatchObject({ ok: 4, failed: 4 })
    expect(job).toMatchObject({ ok: 4, failed: 4 })
    const reasons = (await sheetOf(checked.fileUrl)).slice(1).map(([row, reason]) => [row, reason])
    expect(reasons).toEqual([
      [3, '客户名称与文件第 2 行相同'],
      [4, '联系人手机与文件第 2 行相同'],
      [6, '统一社会信用代码与文件第 5 行相同'],
      [8, expect.stringContaining('手机')],
    ])
    expect(updating).toMatchObject({ ok: 7, failed: 1 })
  })

  it('finds the customer of contacts by name, and needs none for leads', async () => {
    const contacts = await uploaded(manager, [
      ['客户名称', '姓名', '手机'],
      ['导入一号公司', '钱', '13922220001'],
      ['没有这家公司', '孙某某', '13922220002'],
    ])
    const leads = await uploaded(manager, [
      ['线索名称', '线索来源', '手机'],
      ['展会来的线索', '转介绍', '13922220003'],
    ])

    const first = await finished(
      manager,
      await manager.post('/mini/contact/import/start', { fileId: contacts }),
    )
    const second = await finished(manager, await manager.post('/mini/lead/import/start', { fileId: leads }))

    expect(first).toMatchObject({ ok: 1, failed: 1 })
    const { list } = (await manager.post('/mini/contact/list', { keyword: '13922220001' })).data
    expect(list).toMatchObject([{ name: '钱' }])
    expect(second.message).toBe('导入成功 1 条，失败 0 条')
  })

  it('creates contacts too, and updates existing records on request: filled cells only, own rights', async () => {
    const rows = [
      ['客户名称', '客户级别', '备注', '联系人', '联系人手机'],
      ['表格更新公司', 'A', '原来的备注', '何立', '13922220009'],
    ]
    await finished(
      manager,
      await manager.post('/mini/customer/import/start', { fileId: await uploaded(manager, rows) }),
    )
    const [made] = (await manager.post('/mini/customer/list', { keyword: '表格更新' })).data.list
    const foreign = await server.as('demo')
    await foreign.post('/mini/customer/create', { name: '同事手里的公司' })
    const changes = [
      ['客户名称', '客户级别', '备注'],
      ['表格更新有限公司', 'B', null],
      ['同事手里的公司', 'B', null],
      ['表格新增公司', 'C', null],
    ]
    const fileId = await uploaded(manager, changes)

    const skipped = await finished(manager, await manager.post('/mini/customer/import/check', { fileId }))
    const job = await finished(
      manager,
      await manager.post('/mini/customer/import/start', { fileId, mode: 'update' }),
    )

    expect(made).toMatchObject({ contact_name: '何立', mobile: null, contact_mobile: '13922220009' })
    expect(skipped).toMatchObject({ ok: 1, failed: 2 })
    expect(job).toMatchObject({ ok: 3, failed: 0 })
    const { record } = (await manager.get(`/mini/customer/detail?id=${made.id}`)).data
    expect(record).toMatchObject({ name: '表格更新有限公司', level: 'B', remark: '原来的备注' })
    expect((await manager.post('/mini/customer/import/start', { fileId, mode: 'x' })).meta.code).toBe(400)
  })

  it('gives each record to the colleague in its row, whose cap counts, and records its source', async () => {
    const capped = { holding_cap: 300, holding_cap_by_user: { 'u-manager': 1, 'u-sunyue': 1 } }
    const admin = await server.as('admin')
    await admin.post('/mini/pool/setting', { id: 'xinghai-pool-customer', settings: capped })
    const rows = [
      ['客户全称', '销售员', '电话', '下次跟进', '创建人'],
      ['归属甲公司', '李明轩', '138 0013 8001', '2036/3/5', 'x'],
      ['归属乙公司', '赵磊', '0755-86001234', '2036年3月6日', 'x'],
      ['归属丙公司', '孙悦', '+86 13800138003', 49739, 'x'],
      ['归属丁公司', '孙悦', null, null, 'x'],
      ['归属戊公司', '没有这人', null, null, 'x'],
    ]

    const job = await finished(
      manager,
      await manager.post('/mini/customer/import/start', { fileId: await uploaded(manager, rows) }),
    )

    expect(job).toMatchObject({ ok: 3, failed: 2 })
    const reasons = (await sheetOf(job.fileUrl)).slice(1).map((row) => row[1])
    expect(reasons).toEqual([expect.stringContaining('上限'), '没有叫“没有这人”的同事'])
    const { list } = (await manager.post('/mini/customer/list', { keyword: '归属' })).data
    const found = await Promise.all(
      list.map(
        async (row: { id: string }) => (await manager.get(`/mini/customer/detail?id=${row.id}`)).data.record,
      ),
    )
    expect(found.sort((a, b) => (a.name < b.name ? -1 : 1))).toMatchObject([
      ...[
        {
          name: '归属丙公司',
          owner_id: 'u-sunyue',
          mobile: '13800138003',
          next_follow_at: '2036-03-05 00:00:00',
        },
        {
          name: '归属乙公司',
          owner_id: 'u-zhaolei',
          telephone: '0755-86001234',
          next_follow_at: '2036-03-06 00:00:00',
        },
        {
          name: '归属甲公司',
          owner_id: 'u-demo',
          mobile: '13800138001',
          next_follow_at: '2036-03-05 00:00:00',
        },
      ].map((it) => ({ ...it, obtain_way: 'imported' })),
    ])
    await admin.post('/mini/pool/setting', {
      id: 'xinghai-pool-customer',
      settings: { ...capped, holding_cap_by_user: {} },
    })
  })

  it.each(['customer', 'lead'] as const)(
    'puts %ss into a pool for authorised users, beyond the caps of users',
    async (entity) => {
      const poolId = `xinghai-pool-${entity}`
      const admin = await server.as('admin')
      const cap = (settings: { [key: string]: Json }) =>
        admin.post('/mini/pool/setting', { id: poolId, settings })
      await cap({ holding_cap_by_user: { 'u-admin': 1 } })
      const rows = [
        [entity === 'lead' ? '线索名称' : '客户名称', '手机号码', '来源'],
        ...['一', '二', '三'].map((n, i) => [
          `公海导入${entity}${n}号公司`,
          `137${entity === 'lead' ? 3 : 4}000000${i}`,
          '转介绍',
        ]),
      ]
      const fileId = await uploaded(admin, rows)
      const start = (client: Client, body: { [key: string]: Json }) =>
        client.post(`/mini/pool/${entity}/import/start`, { fileId, ...body })

      const job = await finished(admin, await start(admin, { poolId }))
      const elsewhere = await start(admin, { poolId: 'nothing' })
      const without = await start(await server.as('demo'), { poolId })

      expect(job).toMatchObject({ ok: 3, failed: 0 })
      expect([elsewhere.meta.code, without.meta.code]).toEqual([405, 405])
      const { list } = (await admin.post(`/mini/pool/${entity}/list`, { poolId, keyword: '公海导入' })).data
      expect(list).toHaveLength(3)
      const { rows: moves } =
        await asRows(`select o.kind, o.to_pool, o.to_user, r.obtain_way from owner_record o
      join ${entity} r on r.id = o.record_id where r.name like '公海导入${entity}%'`)
      expect(moves).toEqual(
        list.map(() => ({ kind: 'import', to_pool: poolId, to_user: null, obtain_way: 'imported' })),
      )
      await cap({ holding_cap_by_user: {} })
    },
  )

  it('puts opportunities into a pool, for customers that the importer works on', async () => {
    const poolId = 'xinghai-pool-bussiness'
    const admin = await server.as('admin')
    await admin.post('/mini/customer/create', { name: '公海商机客户公司' })
    const fileId = await uploaded(admin, [
      ['项目名称', '所属客户', '预计金额', '预计成交日期'],
      ['公海导入商机一', '公海商机客户公司', '12000', '2026-06-01'],
      ['公海导入商机二', '没有这家公司', '1', '2026-06-01'],
    ])
    const start = (client: Client, into: string) =>
      client.post(`/mini/pool/bussiness/import/start`, { fileId, poolId: into })

    const job = await finished(admin, await start(admin, poolId))
    const wrong = await Promise.all([
      start(admin, 'xinghai-pool-customer'),
      start(await server.as('demo'), poolId),
      (await server.as('demo')).post('/mini/bussiness/import/start', { fileId }),
    ])

    expect(job).toMatchObject({ ok: 1, failed: 1 })
    expect(wrong.map(({ meta }) => meta.code)).toEqual([405, 405, 405])
    const { list } = (await admin.post('/mini/pool/bussiness/list', { poolId, keyword: '公海导入商机' })).data
    expect(list).toMatchObject([{ name: '公海导入商机一' }])
    const { rows } =
      await asRows(`select b.owner_id, b.pool_id, b.obtain_way, o.kind, b.amount::text as amount
      from bussiness b join owner_record o on o.record_id = b.id where b.name = '公海导入商机一'`)
    expect(rows).toEqual([
      { owner_id: null, pool_id: poolId, obtain_way: 'imported', kind: 'import', amount: '12000.00' },
    ])
  })

  it('continues after a crash where it stopped', async () => {
    const fileId = await uploaded(manager, [
      TITLES,
      ['续传一', null, null, null, null],
      ['续传二', null, null, null, null],
    ])
    const first = await manager.post('/mini/customer/import/start', { fileId })
    const { jobId } = first.data
    await finished(manager, first)
    await asSystem(
      `update work set status = 'running', done = 1, ok = 1, beat_at = '2020-01-01' where id = '${jobId}'`,
    )

    await manager.post('/mini/lead/export', {})

    const job = await finished(manager, first)
    expect(job).toMatchObject({ status: 'done', ok: 1, failed: 1 })
  })

  it('is given up by a suspended server once another has taken it over: no row is duplicated or missed', async () => {
    await owner(`create function taken_at_five() returns trigger language plpgsql as $$
      begin if new.done = 5 and old.done = 4 then new.taken_by := 'another'; end if; return new; end $$`)
    await owner(
      'create trigger taken_at_five before update on work for each row execute function taken_at_five()',
    )
    const rows = Array.from({ length: 12 }, (_, at) => [`停顿${at}号公司`, null, null, null, null])
    const fileId = await uploaded(manager, [TITLES, ...rows])
    const first = await manager.post('/mini/customer/import/start', { fileId })
    const { jobId } = first.data

    // The next job in the queue is done: the previous one was released.
    await finished(manager, await manager.post('/mini/lead/export', {}))
    const left = await asRows(`select status, done, ok, failed from work where id = '${jobId}'`)
    await asSystem(`update work set beat_at = '2020-01-01' where id = '${jobId}'`)
    await manager.post('/mini/lead/export', {})
    const job = await finished(manager, first)
    await owner('drop trigger taken_at_five on work')
    await owner('drop function taken_at_five()')

    expect(left.rows).toEqual([{ status: 'running', done: 5, ok: 5, failed: 0 }])
    expect(job).toMatchObject({ status: 'done', ok: 12, failed: 0 })
  })

  it('continues if its database session is lost: no row is duplicated or missed', async () => {
    const rows = Array.from({ length: 8 }, (_, at) => [`断线${at}号公司`, null, null, null, null])
    const fileId = await uploaded(manager, [TITLES, ...rows])
    await owner(`create function lost_at_five() returns trigger language plpgsql security definer as $$ begin
      if new.done = 5 and old.attempts = 1 then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end $$`)
    await owner(
      'create trigger lost_at_five before update on work for each row execute function lost_at_five()',
    )

    const job = await finished(manager, await manager.post('/mini/customer/import/start', { fileId }))

    expect(lost.length).toBe(1)
    await owner('drop trigger lost_at_five on work')
    await owner('drop function lost_at_five()')

    expect(job).toMatchObject({ status: 'done', ok: 8, failed: 0 })
  })

  it('is handed over by a server that stops, and continues elsewhere where it stopped', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => [`交接${at}号公司`, null, null, null, null])
    const fileId = await uploaded(manager, [TITLES, ...rows])
    const ending = await createApp({
      config: server.config,
      database: server.database,
      secret: SECRET_OF_TESTS,
      log: createLog('silent'),
      now: () => server.clock.now,
    })
    const begun = await ending.inject({
      method: 'POST',
      url: '/mini/customer/import/start',
      headers: { authorization: manager.token },
      payload: { fileId, clientToken: newId(server.clock.now) },
    })
    const id = begun.json().data.jobId
    const state = async () =>
      (await asRows(`select status, done, attempts from work where id = '${id}'`)).rows[0]
    await expect.poll(state, { interval: 20 }).toMatchObject({ done: expect.toSatisfy((done) => done > 4) })

    await ending.close()
    const left = await state()
    await manager.post('/mini/lead/export', {})
    const job = await finished(manager, begun.json())

    expect(left).toMatchObject({
      status: 'waiting',
      attempts: 0,
      done: expect.toSatisfy((done) => done < 60),
    })
    expect(job).toMatchObject({ status: 'done', ok: 60, failed: 0 })
  })

  it('is started again after one server crashed with it, and given up after two crashes', async () => {
    const fileId = await uploaded(manager, [TITLES, ['两次中断公司', null, null, null, null]])
    const first = await manager.post('/mini/customer/import/start', { fileId })
    const { jobId } = first.data
    await finished(manager, first)
    const died = (attempts: number) =>
      asSystem(`update work set status = 'running', done = 0, ok = 0, attempts = ${attempts}, beat_at = '2020-01-01'
        where id = '${jobId}'`)
    await died(1)
    await manager.post('/mini/lead/export', {})
    const second = await finished(manager, first)
    await died(2)
    await manager.post('/mini/lead/export', {})

    const third = await finished(manager, first)

    expect(second).toMatchObject({ status: 'done', failed: 1 })
    expect(third).toMatchObject({
      status: 'failed',
      message: '两次执行都中断了，任务没有完成。请检查文件或拆成几个较小的任务后重试',
    })
  })

  it.each<[string, Buffer]>([
    ['no sheet at all', Buffer.from('PK\u0003\u0004 nothing')],
    ['an archive that ends early', bomb().subarray(0, 200)],
  ])('refuses %s', async (_, content) => {
    const fileId = await uploadedBytes(server, manager, content)
    if (fileId === null) return

    const job = await finished(manager, await manager.post('/mini/customer/import/start', { fileId }))

    expect(job).toMatchObject({ status: 'failed', message: '无法读取这个文件，请上传 xlsx 或 csv 表格' })
  })

  it('hides other users’ files, but not a template', async () => {
    const fileId = await uploaded(director, [TITLES, ['别人的文件公司', null, null, null, null]])

    const job = await finished(manager, await manager.post('/mini/customer/import/start', { fileId }))
    const template = await server.app.inject({
      url: '/mini/lead/import/template',
      headers: { authorization: manager.token },
    })

    expect((await manager.post('/mini/customer/import/preview', { fileId })).meta.code).toBe(404)
    expect(job).toMatchObject({ status: 'failed', message: '没有找到上传的文件，请重新上传' })
    expect((await readSheet(template.rawPayload))[0]).toContain('线索名称*')
  })
})

it('includes nothing of another tenant, and nothing of it can be requested', async () => {
  const theirs = await server.as('yfadmin')
  const fileId = await uploaded(manager, [['客户名称'], ['星海的秘密文件']])
  const own = await finished(manager, await manager.post('/mini/customer/export', {}))

  const job = await finished(theirs, await theirs.post('/mini/customer/export', {}))
  const stolen = await finished(theirs, await theirs.post('/mini/customer/import/start', { fileId }))

  expect(await sheetOf(job.fileUrl)).toHaveLength(1)
  expect(stolen.message).toBe('没有找到上传的文件，请重新上传')
  expect((await theirs.get(`/mini/job/detail?id=${own.id}`)).meta.code).toBe(404)
  expect((await theirs.post('/mini/job/cancel', { id: own.id })).meta.code).toBe(404)
})

it('more than 200 records are transferred in the background, and failed ones are named', async () => {
  const fileId = await uploaded(manager, [['客户名称'], ['批量转移一公司'], ['批量转移二公司']])
  await finished(manager, await manager.post('/mini/customer/import/start', { fileId }))
  const { list } = (await director.post('/mini/customer/list', { keyword: '批量转移' })).data
  const real = list.map((row: { id: string }) => row.id)
  const ids = [...real, ...Array.from({ length: 203 }, (_, n) => `nobody-${n}`)]
  const toUserId = (await director.get('/mini/user/detail')).data.userInfo.id

  const refused = await director.post('/mini/customer/transfer', { ids, toUserId })
  const job = await finished(director, await director.post('/mini/customer/transfer/many', { ids, toUserId }))

  expect(refused.meta.code).toBe(422)
  expect(job).toMatchObject({ status: 'done', total: 205, ok: 2, failed: 203 })
  expect(await sheetOf(job.fileUrl)).toHaveLength(204)
  const { record } = (await director.get(`/mini/customer/detail?id=${real[0]}`)).data
  expect(record.owner_id).toBe(toUserId)
  // Only exports hand out what the rights of their person showed.
  const made = await finished(director, await director.post('/mini/customer/export', {}))
  const { rows } = await asRows(
    `select kind, input ? 'rights' as kept from work where id in ('${job.id}', '${made.id}') order by kind`,
  )
  expect(rows).toEqual([
    { kind: 'export', kept: true },
    { kind: 'transfer', kept: false },
  ])
})

it('all results of a list are transferred without their ids, and records that the user may not transfer stay', async () => {
  const theirs = await server.as('demo')
  await theirs.post('/mini/customer/create', { name: '按筛选转移一公司' })
  await theirs.post('/mini/customer/create', { name: '按筛选转移二公司' })
  const body = { list: { keyword: '按筛选转移' }, toUserId: 'u-zhaolei' }

  const stranger = await (await server.as('zengke')).post('/mini/customer/transfer/many', body)
  const answer = await manager.post('/mini/customer/transfer/many', body)
  const job = await finished(manager, answer)

  expect(stranger.meta).toMatchObject({ code: 400, message: '没有可以转移的记录，请换一个筛选条件' })
  expect(answer.data.total).toBe(2)
  expect(job).toMatchObject({ status: 'done', total: 2, ok: 2, failed: 0 })
})

const sheetOf = (url: string) => readSheetOf(server, url)

function uploaded(client: Client, rows: readonly (readonly Cell[])[]): Promise<string> {
  const sheet = createSheetWriter([20])
  for (const row of rows) sheet.row(row)
  return uploadedBytes(server, client, sheet.end()) as Promise<string>
}

function bomb(): Buffer {
  const sheet = createSheetWriter([20])
  for (let n = 0; n < 1000; n += 1) sheet.row(['0'.repeat(1000)])
  return sheet.end()
}

const owner = (text: string) => server.database.owner((trx) => sql.raw(text).execute(trx))

async function asSystem(statement: string): Promise<void> {
  const { sql } = await import('kysely')
  await server.database.system((trx) => sql.raw(statement).execute(trx))
}

async function asRows(statement: string): Promise<{ rows: readonly unknown[] }> {
  const { sql } = await import('kysely')
  return server.database.system((trx) => sql.raw(statement).execute(trx))
}
