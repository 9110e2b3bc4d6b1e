import { sql } from 'kysely'
import { type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import { rightsEntity } from '../../../model/field-rights.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { MAX_LEVELS, parentField } from '../../../model/tree.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { Faults } from '../../kernel/fields/check-record.ts'
import { mirrorKey } from '../../kernel/model/own-index.ts'
import { atOrBelow, fitsBack, lockTree, parentFault, type Tree } from '../../kernel/records/tree.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isOwnVisible } from '../../kernel/visibility/own-module.ts'

/** The records of a module as a tree, by one of its fields, whose mirror finds the descendants (migration 0497). */
function treeOf(module: MergedModule, field: MergedField, { caller, model }: CallContext): Tree {
  const { name } = module
  const ofModule = sql`c.tenant_id = ${caller.tenantId} and c.module = ${name}`
  const above = sql`c.ext ->> ${sql.lit(field.name)}`
  const isMirrored = model.mirrored.get(mirrorKey(name, field.name)) === 'ready'
  return {
    lock: lockOf(module),
    label: labelText(field.label),
    record: (id) => sql`select c.id, ${above} as parent_id, ${isOwnVisible(caller, module, 'c')} as visible
      from record c where ${ofModule} and c.id = ${id}`,
    below: (id) =>
      isMirrored
        ? sql`select c.record_id as id from own_ref c where ${ofModule} and c.field = ${sql.lit(field.name)} and c.is_held and c.value = ${id}`
        : sql`select c.id from record c where ${ofModule} and ${above} = ${id}`,
  }
}

const lockOf = ({ name }: MergedModule): string => `${ownRights(name)}-tree`

/** The parent in the values of a record. */
function parentIn({ name }: MergedField, values: JsonObject): string | null {
  const value = ownValue(values, name)
  return typeof value === 'string' && value !== '' ? value : null
}

/**
 * Locks the trees of a module, if the write changes a parent. Take it before locking any record or person.
 * @param given  the written values; absent: a record is restored below its parent
 */
export async function lockOwnTree(module: MergedModule, ctx: CallContext, given?: JsonObject): Promise<void> {
  const field = parentField(module)
  if (field === undefined || (given !== undefined && parentIn(field, given) === null)) return
  await lockTree({ lock: lockOf(module) }, ctx)
}

/** @param id  null for a new record */
export async function ownTreeFaults(
  module: MergedModule,
  values: JsonObject,
  id: string | null,
  ctx: CallContext,
): Promise<Faults> {
  const field = parentField(module)
  const parent = field === undefined ? null : parentIn(field, values)
  if (field === undefined || parent === null) return {}
  const fault = await parentFault(treeOf(module, field, ctx), parent, id, ctx)
  return fault === null ? {} : { [field.name]: fault }
}

/** Checks that a record can be restored below its parent. @throws Refusal 409 if it would be too deep by now, or a circle */
export async function checkRestorable(
  module: MergedModule,
  { id, ext }: { readonly id: string; readonly ext: JsonObject },
  ctx: CallContext,
): Promise<void> {
  const field = parentField(module)
  const parent = field === undefined ? null : parentIn(field, ext)
  if (field === undefined || parent === null) return
  const tree = treeOf(module, field, ctx)
  if (await fitsBack(tree, parent, id, ctx)) return
  refuse(409, 'STATE_CONFLICT', text('tree.no-fit', { label: tree.label, most: MAX_LEVELS }))
}

interface Choice {
  readonly value: string
  readonly desc: string
  readonly disabled: boolean
}

/** Rows of a picker for the parent of a record: the record itself and its descendants cannot be chosen, and say why. */
export async function withoutDescendants<C extends Choice>(
  module: MergedModule,
  id: string | undefined,
  list: readonly C[],
  ctx: CallContext,
): Promise<readonly C[]> {
  const field = parentField(module)
  if (field === undefined || id === undefined || id === '') return list
  if (!isClear(ctx.caller, rightsEntity(module), field.name)) return list
  const tree = treeOf(module, field, ctx)
  const inside = await atOrBelow(
    tree,
    id,
    list.map(({ value }) => value),
    ctx,
  )
  return list.map((one) =>
    inside.has(one.value)
      ? {
          ...one,
          disabled: true,
          desc: text(one.value === id ? 'tree.is-itself' : 'tree.is-below', { label: tree.label }),
        }
      : one,
  )
}
