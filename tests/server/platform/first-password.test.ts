import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SHEET_ENTITIES } from '../../../src/server/flows/sheets/sheet-kinds.ts'
import { DEMO_PASSWORD } from '../../../src/server/http/seed/accounts.ts'
import { everyRouteOf, type Route } from '../isolation/routes.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

/** Calls that are allowed with a password that somebody else knows: changing it, and signing out. */
const OPEN = new Set([
  'get /mini/user/detail',
  'post /mini/user/password',
  'post /mini/login/logout',
  'post /mini/login/refresh',
  'get /engine/web/page/bundle',
])
/** Calls that answer without a session. */
const PUBLIC = new Set([
  'post /mini/login/validate',
  'get /mini/login/captcha',
  'get /mini/login/protocol',
  'get /mini/app/config',
  'get /engine/web/page/detail',
  'get /engine/web/page/stream',
  ...SHEET_ENTITIES.map((entity) => `get /mini/${entity}/import/template`),
])

let server: TestApp
let newbie: Client
let routes: readonly Route[]
beforeAll(async () => {
  server = await openTestApp()
  routes = everyRouteOf(server)
  newbie = await server.as('demo')
  await mustChange(true)
})
afterAll(() => server.close())

describe('a person whose password was set by an administrator', () => {
  it('may only call routes that lead to a new password', async () => {
    expect(routes.length).toBeGreaterThan(300)
    const known = routes.map((route) => route.join(' '))
    for (const open of [...OPEN, ...PUBLIC]) expect(known).toContain(open)

    for (const [method, path] of routes) {
      const name = `${method} ${path}`
      if (OPEN.has(name) || PUBLIC.has(name)) continue
      const { meta } = method === 'get' ? await newbie.get(path) : await newbie.post(path)
      expect([meta?.code, meta?.error?.type, meta?.message], name).toEqual([
        405,
        'PASSWORD_CHANGE',
        '您正在使用初始密码，请先修改密码',
      ])
    }
  })

  it('sees their user data and the page with the form, and works as usual with a new password', async () => {
    expect((await newbie.get('/mini/user/detail')).data.mustChangePassword).toBe(true)
    const page = await newbie.get('/engine/web/page/detail?path=/pages/my/setting/password')
    expect(JSON.parse(page.body)).toHaveProperty('widgetList')

    const changed = await newbie.post('/mini/user/password', {
      oldPassword: DEMO_PASSWORD,
      newPassword: 'Own-2026-word',
      confirmPassword: 'Own-2026-word',
    })

    expect((await server.with(changed.data.token).post('/mini/customer/list')).meta.code).toBe(200)
    expect((await newbie.post('/mini/customer/list')).meta.code).toBe(200)
  })

  it('receives no file by its bare id, and can sign out', async () => {
    await mustChange(true)
    const again = await server.with(null).post('/mini/login/validate', {
      account: 'demo',
      password: 'Own-2026-word',
      agree: true,
      deviceId: 'again',
    })
    const client = server.with(again.data.token)

    expect((await client.get('/engine/web/file/none')).status).toBe(403)
    expect((await client.post('/mini/login/logout')).meta.code).toBe(200)
  })
})

async function mustChange(must: boolean): Promise<void> {
  await server.database.system((trx) =>
    sql`update app_user set must_change_password = ${must} where account = 'demo'`.execute(trx),
  )
  server.clock.now += 6_000 // the session cache expires
}
