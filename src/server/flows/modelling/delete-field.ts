import { madeBy } from '../../../model/merge-module.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { fieldUsage, usageWords } from './field-usage.ts'
import { deleteField, type Saving } from './save-module.ts'

/** The field to delete, and the version of its module that the user saw. */
export interface GoingField {
  readonly module: string
  readonly name: string
  readonly base: number | undefined
}

/**
 * Deletes a tenant's own field; values in records stay.
 *
 * @throws Refusal 422 REFERENCED with the places where pages, rules or saved views use it
 */
export async function deleteUnused(
  { module, name, base }: GoingField,
  saving: Saving,
  ctx: CallContext,
  services: Services,
): Promise<number> {
  await refuseUsed(module, name, ctx, services)
  return deleteField(module, name, base, saving)
}

async function refuseUsed(module: string, name: string, ctx: CallContext, services: Services): Promise<void> {
  const described = ctx.model.modules.get(module)
  const field = described?.fields.find((one) => one.name === name)
  if (described === undefined || field === undefined) return
  if (madeBy(field) === 'vendor' || described.title === name) return
  const usage = await fieldUsage(described, field, ctx, services)
  const [first] = usage.uses
  if (first !== undefined)
    refuse(422, 'REFERENCED', text('model.used', { n: usage.uses.length, first: first.label }), {
      data: usageWords(usage),
    })
}
