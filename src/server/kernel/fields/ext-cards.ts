import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { ownName } from '../../../model/form-fields.ts'
import type { CallContext } from '../context/call-context.ts'
import type { ReadyListRequest } from '../lists/list-request.ts'
import type { ListSpec } from '../lists/list-spec.ts'
import { dateTimeText } from '../time/zone.ts'
import { maskRow, poolMasks } from '../visibility/masking.ts'
import { isExtEntity, liveExtFields, ownMask, wireExt, withExtWords } from './ext-fields.ts'

const POOLED: ReadonlySet<string> = new Set(['customer', 'lead', 'bussiness'])

/** Adds own values to the cards of a page. */
type OwnCards = (
  spec: ListSpec,
  request: ReadyListRequest,
  cards: readonly object[],
) => Promise<readonly object[]>

/**
 * Adds to the cards of a list the own values that the tenant wants on them: `ext_<name>`, with the text as `ext_<name>_name`. They are looked up for
 * the current page only. Null: there are no such values and nothing to look up.
 */
export function ownCards(entity: string, ctx: CallContext): OwnCards | null {
  if (!isExtEntity(entity)) return null
  const shown = liveExtFields(entity, ctx).filter(({ card }) => card === true)
  if (shown.length === 0) return null
  return async (spec, request, cards) =>
    cards.length === 0 ? cards : withOwn({ entity, shown }, spec, request, cards, ctx)
}

async function withOwn(
  { entity, shown }: { readonly entity: string; readonly shown: readonly Field[] },
  spec: ListSpec,
  { stat }: ReadyListRequest,
  cards: readonly object[],
  ctx: CallContext,
): Promise<readonly object[]> {
  const { trx, caller } = ctx
  const ids = cards.map((card) => ('id' in card ? String(card.id) : ''))
  const open = stat === undefined ? ids : await visibleOf(spec, ids, ctx)
  const isPooled = POOLED.has(entity)
  const { rows } = await sql<{
    id: string
    ext: Json
    owner_id: string | null
    pool_masks?: unknown
  }>`select ${shown.some(({ formula }) => formula !== undefined) ? sql`r.*` : sql`r.id, r.ext`},
    ${isPooled ? sql`r.owner_id, ${poolMasks('r')}` : entity === 'contact' ? sql`r.owner_id` : sql`'' as owner_id`}
    from ${sql.table(entity)} r where r.tenant_id = ${caller.tenantId} and r.id = any(${[...open]}::text[])`.execute(
    trx,
  )
  const names = new Set(shown.map(({ name }) => name))
  const extValues = new Map(
    rows.map((row): [string, JsonObject] => {
      const mask = ownMask(entity, row, ctx)
      // Formulas of a card may read more than it shows.
      const { ext, pool_masks: _, ...plain } = row
      return [row.id, { ...wireRow(maskRow(plain, mask), ctx.zone), ...wireExt(entity, ext, ctx, mask) }]
    }),
  )
  const named = await withExtWords(
    entity,
    ids.map((id) => extValues.get(id) ?? {}),
    ctx,
    'rows',
  )
  return cards.map((card, at) => {
    const { ext: _, ...values } = named[at] as JsonObject
    const isOnCard = (key: string) =>
      [...names].some((name) => key === ownName(name) || key.startsWith(`${ownName(name)}_`))
    return { ...card, ...Object.fromEntries(Object.entries(values).filter(([key]) => isOnCard(key))) }
  })
}

const wireRow = (row: object, zone: string): JsonObject =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? dateTimeText(value, zone) : value,
    ]),
  )

/** The rows behind a statistic are counted for everybody; further values are added only if the caller may see them. */
async function visibleOf(
  spec: ListSpec,
  ids: readonly string[],
  ctx: CallContext,
): Promise<readonly string[]> {
  const id = sql.ref(`${spec.row}.id`)
  const { rows } = await sql<{ id: string }>`select ${id} as id from ${spec.from(ctx)}
    where ${id} = any(${[...ids]}::text[]) and ${spec.visible(ctx)}`.execute(ctx.trx)
  return rows.map((row) => row.id)
}
