import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MergedModule } from '../../../src/model/merge-module.ts'
import { actionWords, entityWords } from '../../../src/server/kernel/records/action-words.ts'
import { rightBody, someIds, someOwnRecords } from '../fuzz/bodies.ts'
import { DEMO } from '../images.ts'
import { openTestApp, type TestApp } from '../support.ts'
import { OWN_MODULE, routesOf } from './routes.ts'
import { writtenKinds } from './written-kinds.ts'

describe('the log', () => {
  let server: TestApp
  beforeAll(async () => {
    server = await openTestApp({}, DEMO)
  })
  afterAll(() => server.close())

  it('says in Chinese what each call that writes did, and to what', async () => {
    const person = await allRights(server)
    const plain = await someIds(server, 'xinghai', 'u-demo')
    const ids = { ...plain, [OWN_MODULE]: await someOwnRecords(person, plain) }
    for (const [method, path] of routesOf(server)) {
      if (method !== 'post' || path.endsWith('/upload')) continue
      const whole = rightBody(path, ids, 0)
      const { meta } = await person.post(path, whole)
      // Calls with a schema name what they do not take; without that they begin.
      const refused = Object.keys(meta?.error?.fields ?? {}).map((name) => name.split('.')[0])
      if (refused.length === 0) continue
      await person.post(
        path,
        Object.fromEntries(Object.entries(whole).filter(([name]) => !refused.includes(name))),
      )
    }

    const model = { modules: new Map([[OWN_MODULE, { label: '保险柜' } as MergedModule]]) }
    const said = writtenKinds().flatMap(({ action, entity }) => [
      [action, actionWords(action, model)],
      [entity, entityWords(entity, model)],
    ])
    expect(writtenKinds().length).toBeGreaterThan(150)
    expect(said.filter(([, words = '']) => !/\p{Script=Han}/u.test(words)).map(([code]) => code)).toEqual([])
  }, 120_000)
})

/** A salesperson with records of each kind who may do everything. */
async function allRights(server: TestApp) {
  await server.database.system((trx) =>
    sql`insert into role_assignment (tenant_id, user_id, role_id)
      select tenant_id, 'u-demo', id from role where tenant_id = 'xinghai' and code = 'tenant_admin'`.execute(
      trx,
    ),
  )
  return server.as('demo')
}
