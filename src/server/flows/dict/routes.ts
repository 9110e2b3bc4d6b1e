import type { Json } from '../../../../runtime/core/json.ts'
import type { DictEntry, DictMap } from '../../../contract/dict.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { etagOf } from '../../kernel/pages/page-version.ts'

/** Dictionaries of the caller's tenant (DOMAIN 1.14): all, or those named in `keys` (comma-separated). */
export const dictRoutes: Resource = (app, { database }) => {
  app.get<{ Querystring: { keys?: string } }>(
    '/engine/web/dict/list',
    {
      schema: { querystring: { type: 'object', properties: { keys: { type: 'string', maxLength: 2000 } } } },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const keys = request.query.keys?.split(',')
      const dicts = await database.tenant(caller, (trx) => readDicts(trx, caller.tenantId, keys))
      const etag = etagOf(dicts as unknown as Json)
      reply.header('etag', etag).header('cache-control', 'private, no-cache')
      if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
      return dicts
    },
  )
}

/** Every dictionary of a tenant, or those of `keys`; trees are nested. */
export async function readDicts(trx: Trx, tenantId: string, keys?: readonly string[]): Promise<DictMap> {
  const types = await trx
    .selectFrom('dict_type')
    .select('key')
    .where('tenant_id', '=', tenantId)
    .orderBy('key')
    .execute()
  const items = await trx
    .selectFrom('dict_item')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('type_key')
    .orderBy('sort')
    .orderBy('value')
    .execute()
  const wanted = types.filter(({ key }) => keys === undefined || keys.includes(key))
  const entriesOf = (key: string, parent: string): readonly DictEntry[] =>
    items
      .filter((item) => item.type_key === key && item.parent === parent)
      .map((item) => {
        const children = entriesOf(key, item.value)
        return {
          label: item.label,
          value: item.value,
          disable: item.disabled,
          color: item.color,
          ...(item.is_default ? { isDefault: true } : {}),
          ...(children.length > 0 ? { children } : {}),
          ...(JSON.stringify(item.ext) === '{}' ? {} : { ext: item.ext }),
        }
      })
  return Object.fromEntries(wanted.map(({ key }) => [key, entriesOf(key, '')]))
}
