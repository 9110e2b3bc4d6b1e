import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { targetKinds } from '../../../model/convert-value.ts'
import type { Field } from '../../../model/description.ts'
import { KIND_NAMES } from '../../../model/kinds/index.ts'
import { type MergedField, type MergedModule, madeBy } from '../../../model/merge-module.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { type Held, heldIn, holdsValues, judgeConversion } from '../../kernel/fields/convert-field.ts'
import { text } from '../../kernel/text/text.ts'
import { kindLabel } from './field-form.ts'

/** Maximum values of each group in the preview, and maximum options that are created from values. */
const MAX_SHOWN = 20
const MAX_OPTIONS = 50

/**
 * The kinds to which a field can be changed: only its own if the product, the title or the statuses depend on it; any while no record has a value.
 */
export async function kindsOpen(
  module: MergedModule,
  field: MergedField,
  ctx: CallContext,
): Promise<readonly JsonObject[]> {
  const isFixed =
    madeBy(field) === 'vendor' || module.title === field.name || module.statuses?.field === field.name
  const held: Held = { ...heldIn(module.name), name: field.name }
  const open = isFixed ? [] : (await holdsValues(held, ctx)) ? targetKinds(field.kind) : KIND_NAMES
  return KIND_NAMES.filter((kind) => kind === field.kind || open.includes(kind)).map((kind) => ({
    value: kind,
    label: kindLabel(kind),
  }))
}

/** The result of converting the values of a field to `made`, as texts for its sheet. */
export async function convertPreview(
  module: MergedModule,
  was: Field,
  newField: Field,
  ctx: CallContext,
): Promise<JsonObject> {
  if (was.kind === newField.kind) return { shown: false, fits: true, list: [], changes: [], words: [] }
  const held: Held = { ...heldIn(module.name), name: was.name }
  const { records, lost, changed, words } = await judgeConversion(held, was, newField, ctx)
  const refused = lost.reduce((sum, { n }) => sum + n, 0)
  const shown = lost.slice(0, MAX_SHOWN)
  const at = await firstRecords(
    held,
    shown.map(({ value }) => value),
    module,
    ctx,
  )
  return {
    shown: true,
    fits: lost.length === 0,
    text:
      records === 0
        ? text('model.convert.none')
        : refused === 0
          ? text('model.convert.fits', { n: records })
          : text('model.convert.some', { all: records, n: refused }),
    list: shown.map(({ value, preview, n }, i) => ({
      id: String(i),
      label: text('model.convert.value', { value: preview, n }),
      path: at.get(JSON.stringify(value)) ?? '',
    })),
    changes: changed
      .slice(0, MAX_SHOWN)
      .map((item, i) => ({ id: String(i), label: text('model.convert.becomes', item) })),
    words: words.length > MAX_OPTIONS ? [] : words.map((label) => ({ value: null, label })),
  }
}

/** Where a record with each of these values can be viewed and corrected. */
async function firstRecords(
  { table, module, name }: Held,
  values: readonly Json[],
  { pages, origin }: MergedModule,
  { trx, caller }: CallContext,
): Promise<ReadonlyMap<string, string>> {
  const detail = origin === 'tenant' ? `/pages/m/${module}/detail` : pages?.detail
  if (detail === undefined || values.length === 0) return new Map()
  const { rows } = await sql<{ value: Json; id: string }>`select ext -> ${name} as value, min(id) as id
    from ${sql.table(table)} where tenant_id = ${caller.tenantId} and deleted_at is null
      ${table === 'record' ? sql`and module = ${module}` : sql``}
      and ext -> ${name} = any(${values.map((value) => JSON.stringify(value))}::text[]::jsonb[]) group by 1`.execute(
    trx,
  )
  return new Map(rows.map(({ value, id }) => [JSON.stringify(value), `${detail}?id=${id}`]))
}
