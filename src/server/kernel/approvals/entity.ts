import type { ApprovalEntity } from '../../../contract/approval.ts'
import type { Field } from '../../../model/description.ts'
import { sourcesOf } from '../../../model/followed-fields.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { isClear } from '../auth/field-rights.ts'
import { ownRights } from '../auth/permissions.ts'
import type { CallContext } from '../context/call-context.ts'
import { text } from '../text/text.ts'

/** Entities whose approval is implemented in the product's code; all others are modules with an approval in their description. */
export type CodedEntity = Exclude<ApprovalEntity, `m.${string}`>

/** The module behind `m.quotation`; null for a contract or a payment. */
export const describedIn = (entity: ApprovalEntity): string | null =>
  entity === 'contract' || entity === 'payment' ? null : entity.slice('m.'.length)

/** The table that holds the approved records. */
export const tableOf = (entity: ApprovalEntity): 'record' | CodedEntity =>
  entity === 'contract' || entity === 'payment' ? entity : 'record'

/** The module that says how records of the entity are approved. */
export function moduleOf(
  entity: ApprovalEntity,
  { model }: Pick<CallContext, 'model'>,
): MergedModule | undefined {
  const name = describedIn(entity)
  return name === null ? undefined : model.modules.get(name)
}

/** Modules whose descriptions define an approval for their records. */
export const approvedModules = ({ model }: Pick<CallContext, 'model'>): readonly MergedModule[] =>
  [...model.modules.values()].filter(({ origin, approval }) => origin === 'tenant' && approval !== undefined)

/** Everything that is approved in a tenant. */
export const approvedEntities = (ctx: Pick<CallContext, 'model'>): readonly ApprovalEntity[] => [
  'contract',
  'payment',
  ...approvedModules(ctx).map(({ name }) => ownRights(name)),
]

/** What people call it. */
export function entityName(entity: ApprovalEntity, ctx: Pick<CallContext, 'model'>): string {
  const module = moduleOf(entity, ctx)
  if (entity === 'contract' || entity === 'payment') return text(`approval.of.${entity}`)
  return module === undefined ? '' : labelText(module.label)
}

/**
 * Whether a record can go too far: its module says by which rule (`beyond`), or the product itself sells its lines with
 * a price floor. Only then can a step wait for it.
 */
export function mayGoTooFar(entity: ApprovalEntity, ctx: Pick<CallContext, 'model'>): boolean {
  if (describedIn(entity) !== null) return moduleOf(entity, ctx)?.approval?.beyond !== undefined
  const fields = ctx.model.modules.get(entity)?.fields ?? []
  return fields.some(({ origin, fields: columns = [] }) => origin === 'vendor' && columns.some(isOfProduct))
}

const isOfProduct = ({ kind, module }: Field): boolean => kind === 'ref' && module === 'product'

/** The fields whose rights apply to the amount of an approval: the one that holds it, and what that follows from; null if there is no amount. */
export function amountFields(
  entity: ApprovalEntity,
  ctx: Pick<CallContext, 'model'>,
): readonly [entity: string, ...fields: string[]] | null {
  const module = moduleOf(entity, ctx)
  const amount = describedIn(entity) === null ? 'amount' : module?.amount
  if (amount === undefined) return null
  return [entity, amount, ...(module === undefined ? [] : (sourcesOf(module).get(amount) ?? []))]
}

/** Whether the caller's roles show the amount of an approval: an approver sees it unless a role hides it. */
export function isAmountSeen(entity: ApprovalEntity, ctx: CallContext): boolean {
  const [of = '', ...fields] = amountFields(entity, ctx) ?? []
  return fields.every((field) => isClear(ctx.caller, of, field))
}
