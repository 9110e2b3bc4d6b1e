import { comparesWith, rulesComparing } from '../../../model/compared-values.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { entityName } from '../../kernel/approvals/entity.ts'
import { approvalAsking } from '../../kernel/approvals/flow.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { text } from '../../kernel/text/text.ts'
import { flowSheet, isFirst, labelOf, nameInPages, pagesNear, sheetOf, type Use } from './field-usage.ts'

type Where = Pick<CallContext, 'trx' | 'caller' | 'model'>

/**
 * Where a value of a choice is named, besides records: rules of other fields, steps of approvals, conditions and filters of pages. Saved views are
 * not among them: nobody but their owner could let go of it.
 *
 * @param pages  absent: pages are not asked
 */
export async function valueUses(
  module: MergedModule,
  field: MergedField,
  value: string,
  where: Where,
  pages?: Services['pages'],
): Promise<readonly Use[]> {
  const rules = rulesComparing(module, field, value).map(
    ({ by }): Use =>
      by === ''
        ? { kind: 'flow', label: labelText(module.label), path: flowSheet(ownRights(module.name)) }
        : { kind: 'rule', label: labelOf(module, by), path: sheetOf(module.name, by) },
  )
  const approval = await approvalAsking(module.name, field.name, value, where)
  const isAsked = pages !== undefined && field.origin === 'tenant'
  const uses = [
    ...rules,
    ...(approval === undefined
      ? []
      : [{ kind: 'flow' as const, label: entityName(approval, where), path: flowSheet(approval) }]),
    ...(isAsked ? await pageUses(module, field, value, where, pages) : []),
  ]
  return uses.filter(isFirst)
}

async function pageUses(
  module: MergedModule,
  field: MergedField,
  value: string,
  where: Where,
  pages: Services['pages'],
): Promise<readonly Use[]> {
  const pattern = nameInPages(module, field)
  return (await pagesNear(module, where, pages))
    .filter(
      ({ json, document }) =>
        json.includes(JSON.stringify(value)) && comparesWith(document, (path) => pattern.test(path), value),
    )
    .map(({ title, path }) => ({ kind: 'page', label: title, path }))
}

/** Uses that a sentence names. */
const MAX_NAMED = 3

/** Uses in a sentence: the first of them, and how many there are if there are more. */
export function namedUses(uses: readonly Pick<Use, 'kind' | 'label'>[]): string {
  const named = uses
    .slice(0, MAX_NAMED)
    .map(({ kind, label }) => text('model.use-named', { what: text(`model.use.${kind}`), label }))
    .join('、')
  return uses.length > MAX_NAMED ? text('model.uses-among', { named, n: uses.length }) : named
}
