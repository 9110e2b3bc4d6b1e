import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { serialise } from '../../../runtime/cloud/database/serialise.ts'
import { type DbParam, runQuery } from '../../../runtime/cloud/index.ts'
import { isObject, type Json } from '../../../runtime/core/json.ts'
import { cloudAt } from '../../support/cloud-server/cloud-at.ts'
import { type CloudServer, SPACES, startCloudServer } from '../../support/cloud-server/cloud-server.ts'

let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.reset()
  server.tables.set(
    'customer',
    Array.from({ length: 45 }, (_, at) => ({ _id: `c${at}`, rank: at, level: at % 3 })),
  )
  server.tables.set('contact', [])
})

describe('a serialised command', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => !text.startsWith('$') && text !== 'toJSON')
  const leaf = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(9e12) }),
    fc.constantFrom(/^星/i, /a+b?/g, /[\\/]/u),
  )
  const param = fc.letrec<{ param: DbParam }>((tie) => ({
    param: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('param'), { maxLength: 4 }),
      fc.dictionary(name, tie('param'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).param

  it('survives a round trip unchanged', () => {
    fc.assert(
      fc.property(param, (given) => {
        const onTheWire = JSON.parse(JSON.stringify(serialise(given))) as Json

        expect(readBack(onTheWire)).toEqual(given)
      }),
    )
  })

  it('neither changes the given parameters nor copies prototypes', () => {
    const where = JSON.parse('{"at":1,"__proto__":{"admin":true}}') as { at: DbParam }
    where.at = new Date(0)

    const wire = serialise(where)

    expect(where.at).toEqual(new Date(0))
    expect(Object.getPrototypeOf(wire)).toBe(Object.prototype)
    expect(JSON.stringify(wire)).toBe(
      '{"at":{"$date":"1970-01-01T00:00:00.000Z"},"__proto__":{"admin":true}}',
    )
  })
})

describe('the client database', () => {
  it('returns the whole response, or the inner result in its short form', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)

    const whole = await cloud.database().collection('customer').where({ level: 1 }).count()
    const inner = await cloud.databaseForJQL().collection('customer').where({ level: 1 }).count()

    expect(whole).toMatchObject({ errCode: 0, result: { total: 15, errCode: 0, errMsg: '' } })
    expect(inner).toMatchObject({ total: 15 })
  })

  it('adds, updates and removes', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    const db = cloud.databaseForJQL()

    const added = await db.collection('contact').add({ name: '王' })
    await db.collection('contact').where({ name: '王' }).update({ name: '李' })
    const found = await db.collection('contact').get()
    await db.collection('contact').where({ name: '李' }).remove()

    expect(added).toMatchObject({ id: 'id-1' })
    expect(found).toMatchObject({ data: [{ _id: 'id-1', name: '李' }] })
    expect(server.tables.get('contact')).toEqual([])
  })

  it('sends several commands in one call and answers in their order', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    const db = cloud.databaseForJQL()

    const answer = await db.multiSend(
      db.collection('contact').getTemp(),
      db.collection('customer').where({ rank: 7 }).getTemp(),
    )

    expect(answer).toMatchObject({ dataList: [{ data: [] }, { data: [{ _id: 'c7' }] }] })
    expect(server.seen).toHaveLength(2)
  })

  it('refuses set outside operators, and members that do not end in getTemp', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    const db = cloud.database()
    const chain = db.collection('customer') as unknown as { set(data: object): unknown }

    expect(() => chain.set({ a: 1 })).toThrow('JQL禁止使用set方法')
    expect(JSON.stringify(db.command.set?.({ a: 1 }))).toContain('"$method":"set"')
    await expect(db.multiSend(db.collection('customer'))).rejects.toThrow(
      'multiSend只支持子命令内使用getTemp',
    )
    expect(server.seen).toEqual([])
  })

  it('notifies its error listeners, then rejects with the code of the answer', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    const db = cloud.database()
    const told: unknown[] = []
    db.on('error', (error) => told.push(error.errCode))
    cloud.on('response', ({ type }) => told.push(type))

    await expect(db.collection('nothing').get()).rejects.toMatchObject({
      errCode: 'COLLECTION_NOT_FOUND',
      errMsg: '没有数据表 nothing',
      requestId: 'request-1',
    })

    expect(told).toEqual(['COLLECTION_NOT_FOUND', 'clientdb'])
  })

  it('suggests that the schema is missing if the space has no client database', async () => {
    const { cloud, log } = cloudAt(server, SPACES.aliyun)
    const answerer = server.functions.get('DCloud-clientDB')
    server.functions.delete('DCloud-clientDB')

    await expect(cloud.database().collection('customer').get()).rejects.toMatchObject({
      errCode: 'FUNCTION_NOT_FOUND',
    })

    expect(log).toEqual(['warn clientDB未初始化，请在web控制台保存一次schema以开启clientDB'])
    if (answerer) server.functions.set('DCloud-clientDB', answerer)
  })

  it('stores a renewed login token and logs the system’s messages', async () => {
    const { cloud, storage, log } = cloudAt(server, SPACES.aliyun)
    const told: unknown[] = []
    cloud.on('refreshToken', ({ token }) => told.push(token))
    const systemInfo = [
      { level: 'warn', message: '索引缺失', detail: 'customer.level' },
      { level: 'constructor', message: '你好' },
    ]
    const data = { code: 0, data: [], token: 'new', tokenExpired: 5, systemInfo }
    const isDb = (seen: { readonly raw: Buffer }) => seen.raw.includes('DCloud-clientDB')
    server.fail({ kind: 'answer', answer: { data: { data } } }, isDb)

    await cloud.database().collection('customer').get()

    expect(await storage.get('uni_id_token')).toBe('new')
    expect(told).toEqual(['new'])
    expect(log).toEqual(['warn [System Info]索引缺失\n详细信息：customer.level', 'log [System Info]你好'])
  })

  it('does not send a chain that is only awaited', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)

    await Promise.resolve(cloud.database().collection('customer').where({ a: 1 }))

    expect(server.seen).toEqual([])
  })
})

describe('a paged query', () => {
  it.each([
    [1, 20, false],
    [2, 20, false],
    [3, 5, true],
  ])('on page %i has %i rows, ended %s', async (pageCurrent, rows, ended) => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    const query = { collection: 'customer', orderby: 'rank desc', pageCurrent }

    const page = await runQuery(cloud.databaseForJQL(), query)
    const counted = await runQuery(cloud.database(), { ...query, getcount: true })

    expect(page).toMatchObject({ ended })
    expect(page.data).toHaveLength(rows)
    expect(counted).toMatchObject({ ended, count: 45, data: page.data })
  })

  it('ends with the page that reaches the count, even if that page is full', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)
    const query = { collection: 'customer', pageSize: 15, pageCurrent: 3 }

    const guessed = await runQuery(cloud.databaseForJQL(), query)
    const counted = await runQuery(cloud.databaseForJQL(), { ...query, getcount: true })

    expect([guessed.ended, counted.ended]).toEqual([false, true])
  })

  it('is built in the documented order', async () => {
    const { cloud } = cloudAt(server, SPACES.alipay)

    await runQuery(cloud.databaseForJQL(), {
      collection: ['customer', 'contact'],
      action: 'check',
      where: 'level == 1',
      field: 'name',
      foreignKey: 'contact.owner',
      groupby: 'level',
      groupField: 'sum(rank) as total',
      distinct: true,
      orderby: 'total desc',
      pageCurrent: 3,
      pageSize: 500,
      gettree: true,
      limitlevel: 4,
    })

    const sent = server.seen[0]?.body as {
      action: string
      command: { $db: { $method: string; $param: Json }[] }
    }
    expect(sent.action).toBe('check')
    expect(sent.command.$db.map((step) => [step.$method, step.$param])).toEqual([
      ['collection', ['customer', 'contact']],
      ['where', ['level == 1']],
      ['field', ['name']],
      ['foreignKey', ['contact.owner']],
      ['groupBy', ['level']],
      ['groupField', ['sum(rank) as total']],
      ['distinct', []],
      ['orderBy', ['total desc']],
      ['skip', [1000]],
      ['limit', [500]],
      ['get', [{ getCount: false, getTree: { limitLevel: 4, startWith: '' } }]],
    ])
  })
})

/** How a server reads a parameter: the inverse of the wire format, implemented separately. */
function readBack(wire: Json): DbParam {
  if (Array.isArray(wire)) return wire.map(readBack)
  if (!isObject(wire)) return wire
  if (typeof wire.$date === 'string') return new Date(wire.$date)
  if (isObject(wire.$regexp)) return new RegExp(String(wire.$regexp.source), String(wire.$regexp.flags))
  return Object.fromEntries(Object.entries(wire).map(([name, value]) => [name, readBack(value ?? null)]))
}
