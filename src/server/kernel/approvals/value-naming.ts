import type { ApprovalEntity } from '../../../contract/approval.ts'
import { rulesComparing } from '../../../model/compared-values.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import type { CallContext } from '../context/call-context.ts'
import { text } from '../text/text.ts'
import { entityName } from './entity.ts'
import { approvalAsking } from './flow.ts'

/** What may use a field, a value of a choice or a module. */
export type UseKind =
  | 'page'
  | 'rule'
  | 'view'
  | 'flow'
  | 'title'
  | 'status'
  | 'amount'
  | 'until'
  | 'sort'
  | 'convert'
  | 'reference'
  | 'rollup'
  | 'menu'

/** What names a value of a choice: the rule of a field, or the approval of an entity. */
export type Naming =
  | { readonly kind: 'rule'; readonly label: string; readonly field: string }
  /** `entity` is absent if the module's own description says when its approval is needed. */
  | { readonly kind: 'flow'; readonly label: string; readonly entity?: ApprovalEntity }

/** Rules of fields and steps of approvals that ask for a value of a choice. */
export async function namingsOf(
  module: MergedModule,
  field: MergedField,
  value: string,
  where: Pick<CallContext, 'trx' | 'caller' | 'model'>,
): Promise<readonly Naming[]> {
  const namings = rulesComparing(module, field, value).map(({ by }): Naming => {
    const ruled = module.fields.find(({ name }) => name === by)
    return by === ''
      ? { kind: 'flow', label: labelText(module.label) }
      : { kind: 'rule', label: labelText(ruled?.label ?? by), field: by }
  })
  const entity = await approvalAsking(module.name, field.name, value, where)
  if (entity !== undefined) namings.push({ kind: 'flow', label: entityName(entity, where), entity })
  return namings
}

/** Uses that a sentence names. */
const MAX_NAMED = 3

/** Uses in a sentence: the first of them, and how many there are if there are more. */
export function namedUses(uses: readonly { readonly kind: UseKind; readonly label: string }[]): string {
  const words = uses.map(({ kind, label }) =>
    text('model.use-named', { what: text(`model.use.${kind}`), label }),
  )
  const different = [...new Set(words)]
  const named = different.slice(0, MAX_NAMED).join('、')
  return different.length > MAX_NAMED ? text('model.uses-among', { named, n: different.length }) : named
}
