import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRights } from '../auth/permissions.ts'
import type { CallContext } from '../context/call-context.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { isOwnVisible } from '../visibility/own-module.ts'
import { isShippedVisible } from '../visibility/shipped.ts'

/** The key of a body that names the record from which a new one is made: `{ module, id }`. */
const MADE_OF = 'made_of'

/** A record as a link: its kind, its name, and where it opens. */
interface Linked {
  readonly label: string
  readonly title: string
  readonly url: string
}

/** The name of a module where the product's and own modules are mixed: `contract`, `m.quotation`. */
const entityOf = ({ name, origin }: MergedModule): string => (origin === 'tenant' ? ownRights(name) : name)

/** The body of a new record, and separately the record it is made from. */
export function sourceOf(body: JsonObject): { readonly body: JsonObject; readonly of: Json | undefined } {
  const { [MADE_OF]: of, ...rest } = body
  return { body: rest, of: isObject(of) && typeof of.id === 'string' && of.id !== '' ? of : undefined }
}

/**
 * Stores from which record a new one is made.
 *
 * @throws Refusal 404 for a record that the author does not see, 409 for one that cannot be converted to this kind
 */
export async function noteConversion(
  of: Json | undefined,
  to: { readonly module: string; readonly id: string },
  ctx: CallContext,
): Promise<void> {
  if (!isObject(of)) return
  const { trx, caller, model, now } = ctx
  const from = model.modules.get(String(of.module))
  const target = model.modules.get(to.module)
  if (from === undefined || target === undefined || from.convert?.[to.module] === undefined)
    refuse(409, 'STATE_CONFLICT', text('own.not-convertible'))
  const id = String(of.id)
  if ((await linkOf(from, id, ctx)) === null) refuse(404, 'NOT_FOUND', text('own.not-found'))
  await sql`insert into conversion (tenant_id, to_entity, to_id, from_entity, from_id, created_by, created_at)
    values (${caller.tenantId}, ${entityOf(target)}, ${to.id}, ${entityOf(from)}, ${id}, ${caller.userId}, ${now})`.execute(
    trx,
  )
}

/** Which of these records something was made from. */
export async function becameSomething(
  module: MergedModule,
  ids: readonly string[],
  { trx, caller }: CallContext,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select distinct from_id as id from conversion
    where tenant_id = ${caller.tenantId} and from_entity = ${entityOf(module)} and from_id = any(${ids}::text[])`.execute(
    trx,
  )
  return new Set(rows.map(({ id }) => id))
}

/** What a record was made from and into, as far as the caller sees these records; nothing if there is neither. */
export async function conversionsOf(module: string, id: string, ctx: CallContext): Promise<JsonObject> {
  const { trx, caller, model } = ctx
  const described = model.modules.get(module)
  if (described === undefined) return {}
  const entity = entityOf(described)
  const { rows } = await sql<{ entity: string; id: string }>`
    select from_entity as entity, from_id as id from conversion
      where tenant_id = ${caller.tenantId} and to_entity = ${entity} and to_id = ${id}
    union all (select to_entity, to_id from conversion
      where tenant_id = ${caller.tenantId} and from_entity = ${entity} and from_id = ${id} order by created_at desc limit 20)`.execute(
    trx,
  )
  const links: Linked[] = []
  for (const row of rows) {
    const other = [...model.modules.values()].find((it) => entityOf(it) === row.entity)
    const link = other === undefined ? null : await linkOf(other, row.id, ctx)
    if (link !== null) links.push(link)
  }
  return links.length === 0 ? {} : { linked: links as unknown as Json }
}

async function linkOf(
  module: MergedModule,
  id: string,
  { trx, caller }: CallContext,
): Promise<Linked | null> {
  const { name, origin, pages, permission = name } = module
  const isOwn = origin === 'tenant'
  const right = isOwn ? ownRights(name) : permission
  if (!caller.permissions.has(`${right}:view`)) return null
  const { rows } = isOwn
    ? await sql<{ title: string }>`select x.title from record x
        where x.id = ${id} and ${isOwnVisible(caller, module, 'x')}`.execute(trx)
    : await sql<{ title: string }>`select ${sql.ref(`x.${module.title}`)} as title from ${sql.table(name)} x
        where x.id = ${id} and ${isShippedVisible(caller, name, 'x')}`.execute(trx)
  const [found] = rows
  if (found === undefined) return null
  const page = isOwn ? `/pages/m/${name}/detail` : (pages?.detail ?? '')
  return { label: labelText(module.label), title: found.title, url: `${page}?id=${id}` }
}

/**
 * The initial values of another module's form for a record that is converted.
 *
 * @param record  as sent to the client, with the names for its ids
 * @throws Refusal 404 if the module cannot be converted to this kind
 */
export function carriedValues(module: MergedModule, to: string, record: JsonObject): JsonObject {
  const mapping = module.convert?.[to]
  if (mapping === undefined) refuse(404, 'NOT_FOUND', text('own.not-convertible'))
  return Object.fromEntries(
    Object.entries(mapping).flatMap(([name, from]): [string, Json][] => {
      const words =
        from === 'id'
          ? record[module.title]
          : (record[`${from}_name`] ?? record[from.replace(/_id$/, '_name')])
      return [
        [name, record[from] ?? null],
        // Forms of the product call the name for `customer_id` `customer_name`.
        ...(typeof words === 'string' && name.endsWith('_id')
          ? ([
              [`${name}_name`, words],
              [name.replace(/_id$/, '_name'), words],
            ] as [string, Json][])
          : []),
      ]
    }),
  )
}
