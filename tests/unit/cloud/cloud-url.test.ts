import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseCloudUrl, runCloudUrl } from '../../../runtime/cloud/index.ts'
import { cloudAt } from '../../support/cloud-server/cloud-at.ts'
import { type CloudServer, SPACES, startCloudServer } from '../../support/cloud-server/cloud-server.ts'

let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.reset()
  server.tables.set('city', [{ _id: '1', name: '杭州' }])
})

describe('a cloud address', () => {
  it.each([
    ['cloud:function/hello', { kind: 'function', name: 'hello' }],
    ['cloud:object/todo/add', { kind: 'object', name: 'todo', method: 'add' }],
    ['cloud:db/city', { kind: 'db', name: 'city' }],
    ['cloud:upload', { kind: 'upload' }],
    ['cloud://env-1/db/city', { kind: 'db', space: 'env-1', name: 'city' }],
    ['cloud://env-1/upload', { kind: 'upload', space: 'env-1' }],
  ])('parses %s', (url, target) => {
    expect(parseCloudUrl(url)).toEqual(target)
  })

  it.each([
    '',
    'https://x/function/a',
    'cloud:',
    'cloud:function',
    'cloud:function/',
    'cloud:function/a/b',
    'cloud:object/todo',
    'cloud:db/a/b/c',
    'cloud:upload/x',
    'cloud:other/x',
    'cloud:///db/x',
  ])('does not accept %j', (url) => {
    expect(parseCloudUrl(url)).toBeUndefined()
  })

  it('runs functions, objects and queries, in the space it names', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun, SPACES.tencent)

    const results = await Promise.all([
      runCloudUrl(cloud, 'cloud:function/hello', { name: '海' }),
      runCloudUrl(cloud, 'cloud:object/todo/add', { title: '访' }),
      runCloudUrl(cloud, 'cloud://env-1/db/city', {
        where: { name: '杭州' },
        getcount: true,
        pageSize: 'no',
      }),
    ])

    expect(results).toMatchObject([
      { ok: true, value: { greeting: '你好，海' } },
      { ok: true, value: { title: { title: '访' } } },
      { ok: true, value: { data: [{ _id: '1', name: '杭州' }], count: 1, ended: true } },
    ])
  })

  it('reads numbers and flags of a query from the address', async () => {
    const { cloud } = cloudAt(server, SPACES.aliyun)

    await runCloudUrl(cloud, 'cloud:db/city', {
      pageSize: '7',
      getcount: 'true',
      pageCurrent: '',
      limitlevel: 'x',
    })

    const sent = JSON.stringify(server.seen.at(-1)?.body)
    expect(sent).toMatch(/limit[^[]*\[7\]/)
    expect(sent).toMatch(/getCount[^a-z]*true/)
  })

  it('returns failures as values that say whether the user has seen a message', async () => {
    const { cloud, screen } = cloudAt(server, SPACES.aliyun)

    const quiet = await runCloudUrl(cloud, 'cloud:object/todo/refuse', {})
    const told = await runCloudUrl(cloud, 'cloud:object/todo/refuse', {}, {})
    const other = await runCloudUrl(cloud, 'cloud://nowhere/db/x', {})
    const upload = await runCloudUrl(cloud, 'cloud:upload', {})

    const error = { code: 'REFUSED', type: 'todo-full', message: '待办已满' }
    expect(quiet).toMatchObject({ ok: false, error: { ...error, shown: false } })
    expect(told).toMatchObject({ ok: false, error: { ...error, shown: true } })
    expect(screen.modals).toHaveLength(1)
    expect(other).toMatchObject({ ok: false, error: { message: 'no cloud space is called "nowhere"' } })
    expect(upload).toMatchObject({ ok: false, error: { code: 'REFUSED' } })
  })
})
