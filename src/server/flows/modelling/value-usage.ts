import { comparesWith } from '../../../model/compared-values.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { namingsOf } from '../../kernel/approvals/value-naming.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { flowSheet, isFirst, nameInPages, pagesNear, sheetOf, type Use } from './field-usage.ts'

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
  const isAsked = pages !== undefined && field.origin === 'tenant'
  const namings = await namingsOf(module, field, value, where)
  const uses = [
    ...namings.map(
      (one): Use => ({
        kind: one.kind,
        label: one.label,
        path:
          one.kind === 'rule'
            ? sheetOf(module.name, one.field)
            : flowSheet(one.entity ?? ownRights(module.name)),
      }),
    ),
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
