import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { isShownInPart, rightName, rightsEntity } from '../../../model/field-rights.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { FIELD_RIGHTS, type FieldRight } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { invalid } from './input.ts'

/** Modules without field rights: a to-do is its author's own note. */
const UNGUARDED: ReadonlySet<string> = new Set(['todo'])

/** Fields that are visible to everybody who sees a record, besides its title: lists are sorted by them, sums are counted by them. */
const PUBLIC: Readonly<Record<string, readonly string[]>> = {
  contract: ['contract_no', 'sign_date'],
  payment: ['payment_no', 'paid_at'],
  plan: ['plan_date'],
  activity: ['start_at', 'end_at'],
  follow: ['followed_at'],
  // Every new line of a contract begins with it.
  product: ['product_no', 'price'],
}

/** Fields without rights of their own: plans have permissions, and a coordinate follows its place. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  contract: ['plans'],
  activity: ['lng', 'lat'],
}

/** The rights a role can be given for a field, from narrow to wide; none if the field must be visible to everybody. */
function rightsTo(module: MergedModule, field: MergedField): readonly FieldRight[] {
  const { name, kind, required, readonly, retired, origin } = field
  if (retired === true || UNGUARDED.has(module.name)) return []
  if (module.origin === 'tenant') return name === module.title ? ['read'] : ['hidden', 'masked', 'read']
  if (origin === 'tenant') return ['hidden', 'masked', 'read']
  const isFilledIn = readonly !== 'always' && kindOf(kind).derived !== true
  if (!isFilledIn || ELSEWHERE[module.name]?.includes(name) === true) return []
  // The record that a record belongs to decides who sees it.
  const isBelonging = kindOf(kind).index === 'ref' || readonly === 'created'
  if (required === true && isBelonging) return []
  const isPublic = name === module.title || PUBLIC[module.name]?.includes(name) === true
  return isPublic ? ['read'] : ['hidden', 'masked', 'read']
}

/** The right of a new row on the screen: masked if the field can be masked, otherwise hidden. */
function beginOf(module: MergedModule, field: MergedField): FieldRight {
  const [narrowest = 'read'] = rightsTo(module, field)
  return narrowest === 'hidden' && isShownInPart(field) ? 'masked' : narrowest
}

interface Offered {
  readonly module: MergedModule
  readonly entity: string
  readonly fields: readonly MergedField[]
}

function offered({ model }: Pick<CallContext, 'model'>): readonly Offered[] {
  const all = [...model.modules.values()].map((module) => ({
    module,
    entity: rightsEntity(module),
    fields: module.fields.filter((field) => rightsTo(module, field).length > 0),
  }))
  return all.filter(({ fields }) => fields.length > 0)
}

/** The fields that can have rights, as a tree of entities: the product's, those that a tenant added, and those of its own modules. */
export const fieldTree = (ctx: Pick<CallContext, 'model'>): readonly JsonObject[] =>
  offered(ctx).map(({ module, entity, fields }) => ({
    value: entity,
    label: labelText(module.label),
    children: fields.map((field) => ({
      value: rightName(module, field),
      label: labelText(field.label),
    })),
  }))

/** The initial right of a row for each of them: names as `customer/mobile`; for all others hidden. */
export function beginRights(ctx: Pick<CallContext, 'model'>): Readonly<Record<'masked' | 'read', string[]>> {
  const named = (right: FieldRight) =>
    offered(ctx).flatMap(({ module, entity, fields }) =>
      fields
        .filter((field) => beginOf(module, field) === right)
        .map((field) => `${entity}/${rightName(module, field)}`),
    )
  return { masked: named('masked'), read: named('read') }
}

const moduleOf = (entity: string, { modules }: CallContext['model']): MergedModule | undefined =>
  [...modules.values()].find((it) => rightsEntity(it) === entity)

type Rights = Readonly<Record<string, string>>

/**
 * @param before  the role's existing rights for the entity, which may stay
 * @throws Refusal 400 for a right that would hide a field that must be visible to everybody, and for a field that is unknown
 */
export function refuseUnheld(
  entity: string,
  rights: Rights,
  before: Rights,
  { model }: Pick<CallContext, 'model'>,
): void {
  const module = moduleOf(entity, model)
  const names = new Set(module?.fields.map((field) => rightName(module, field)))
  const unknown = Object.keys(rights).find((name) => !names.has(name) && !Object.hasOwn(before, name))
  if (unknown !== undefined) invalid(`field_rights.${entity}.${unknown}`)
  for (const field of module?.fields ?? []) {
    const name = rightName(module as MergedModule, field)
    const right = rights[name]
    if (module === undefined || right === undefined || right === 'write' || right === before[name]) continue
    const known: readonly string[] = rightsTo(module, field)
    // A field that the screen does not offer is not writable; such a right has no effect.
    if (field.retired === true || (known.length === 0 && field.readonly === 'always')) continue
    if (known.includes(right)) continue
    const places = { module: labelText(module.label), label: labelText(field.label) }
    const message = text(known.length === 0 ? 'admin.role.open' : 'admin.role.title', places)
    refuse(400, 'VALIDATION', message, { fields: { field_rows: message } })
  }
}

/**
 * The rights of a form's rows, `{ field: [entity, name], right }`.
 *
 * @throws Refusal 400 for a row of another shape, and for a field with two rows: one of them would have no effect
 */
export function fieldRights(rows: Json | undefined, ctx: Pick<CallContext, 'model'>): JsonObject {
  if (rows === undefined || rows === null || rows === '') return {}
  if (!Array.isArray(rows)) return invalid('field_rows')
  const table = new Map<string, Map<string, Json>>()
  for (const row of rows) {
    const [entity, field] = isObject(row) && Array.isArray(row.field) ? row.field : []
    if (!isObject(row) || typeof entity !== 'string' || typeof field !== 'string')
      return invalid('field_rows')
    const rights = table.get(entity) ?? new Map<string, Json>()
    if (rights.has(field)) refuseTwice(entity, field, ctx)
    table.set(entity, rights.set(field, row.right ?? null))
  }
  return Object.fromEntries([...table].map(([entity, rights]) => [entity, Object.fromEntries(rights)]))
}

function refuseTwice(entity: string, name: string, { model }: Pick<CallContext, 'model'>): never {
  const module = moduleOf(entity, model)
  const field = module?.fields.find((it) => rightName(module, it) === name)
  if (module === undefined || field === undefined) return invalid('field_rows')
  const message = text('admin.role.twice', { module: labelText(module.label), label: labelText(field.label) })
  return refuse(400, 'VALIDATION', message, { fields: { field_rows: message } })
}

/** Whether there is a right of that name. */
export const isFieldRight = (right: unknown): right is FieldRight =>
  (FIELD_RIGHTS as readonly unknown[]).includes(right)
