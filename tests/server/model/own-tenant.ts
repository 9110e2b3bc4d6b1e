import { isObject, type JsonObject } from '../../../runtime/core/json.ts'
import { allOwn } from '../../../src/server/kernel/auth/permissions.ts'
import { right } from '../business5/deals.ts'
import { PEOPLE } from '../images.ts'
import { type Client, openTestApp, type TestApp, type Watch } from '../support.ts'

/** A tenant with own modules, the administrator who created them, and a salesperson. */
export interface OwnTenant {
  readonly server: TestApp
  readonly admin: Client
  readonly demo: Client
  /** Saves a description; any problem with it fails the test. */
  save(description: JsonObject): Promise<void>
  /** Grants a role of the demo data rights on a module: by default all of them, with scope `self`. */
  give(role: string, module: string, given?: Partial<Given>): Promise<void>
  /** The id of a new record. */
  make(client: Client, module: string, body: JsonObject): Promise<string>
}

interface Given {
  readonly permissions: readonly string[]
  readonly scope: string
}

/** The valid test module: a title, owners and a recycle bin. `fields` come after the title. */
export function aModule({ fields = [], ...more }: JsonObject = {}): JsonObject {
  return {
    name: 'ticket',
    label: '售后工单',
    title: 'title',
    behaviours: ['owned', 'recycle'],
    ...more,
    fields: [{ name: 'title', kind: 'text', label: '标题', required: true, search: true }, ...listOf(fields)],
  }
}

const listOf = (fields: JsonObject[string]): readonly JsonObject[] =>
  (Array.isArray(fields) ? fields : []).filter(isObject)

/** A server whose tenant has these modules. */
export async function openOwnTenant(
  modules: readonly JsonObject[] = [],
  ...watch: readonly Watch[]
): Promise<OwnTenant> {
  const server = await openTestApp({}, PEOPLE, ...watch)
  const [admin, demo] = await Promise.all([server.as('admin'), server.as('demo')])
  const tenant: OwnTenant = {
    server,
    admin,
    demo,
    async save(description) {
      right(await admin.post('/engine/web/module/save', { description }))
    },
    async give(role, module, { permissions = allOwn(module), scope = 'self' } = {}) {
      const { list } = right(await admin.post('/engine/web/role/list'))
      const found = list.find((one: JsonObject) => one.code === role)
      const scopes = { ...found.scopes, [`m.${module}`]: scope }
      const others = found.permissions.filter((one: string) => !one.startsWith(`m.${module}:`))
      right(
        await admin.post('/engine/web/role/save', {
          ...found,
          permissions: [...others, ...permissions],
          scopes,
        }),
      )
    },
    make: async (client, module, body) => right(await client.post(`/mini/m/${module}/create`, body)).id,
  }
  for (const one of modules) await tenant.save(one)
  return tenant
}
