import { sql } from 'kysely'
import { afterAll, expect, it, vi } from 'vitest'
import type { MergedModule } from '../../../src/model/merge-module.ts'
import { actionWords, entityWords } from '../../../src/server/kernel/records/action-words.ts'
import type * as writeOnceModule from '../../../src/server/kernel/records/write-once.ts'
import { rightBody, someIds, someOwnRecords } from '../fuzz/bodies.ts'
import { DEMO } from '../images.ts'
import { OWN_MODULE, routesOf } from '../isolation/routes.ts'
import { openTestApp, type TestApp } from '../support.ts'

type Module = typeof writeOnceModule
type Kind = writeOnceModule.WriteKind

/** What the calls were about to write to the log. */
const kinds = vi.hoisted(() => new Map<string, { readonly action: string; readonly entity: string }>())
vi.mock('../../../src/server/kernel/records/write-once.ts', async (original) => {
  const real = await original<Module>()
  const note = ({ action, entity }: Kind) => kinds.set(`${entity} ${action}`, { action, entity })
  return {
    ...real,
    writeOnce: ((database, request, kind, ...rest) => {
      note(kind)
      return real.writeOnce(database, request, kind, ...rest)
    }) satisfies Module['writeOnce'],
    audit: ((trx, request, kind, ...rest) => {
      note(kind)
      return real.audit(trx, request, kind, ...rest)
    }) satisfies Module['audit'],
  }
})

const server: TestApp = await openTestApp({}, DEMO)
afterAll(() => server.close())

it('the log says in Chinese what each call that writes did, and to what', async () => {
  const person = await allRights()
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
  const said = [...kinds.values()].flatMap(({ action, entity }) => [
    [action, actionWords(action, model)],
    [entity, entityWords(entity, model)],
  ])
  expect(kinds.size).toBeGreaterThan(150)
  expect(said.filter(([, words = '']) => !/\p{Script=Han}/u.test(words)).map(([code]) => code)).toEqual([])
}, 120_000)

/** A salesperson with records of each kind who may do everything. */
async function allRights() {
  await server.database.system((trx) =>
    sql`insert into role_assignment (tenant_id, user_id, role_id)
      select tenant_id, 'u-demo', id from role where tenant_id = 'xinghai' and code = 'tenant_admin'`.execute(
      trx,
    ),
  )
  return server.as('demo')
}
