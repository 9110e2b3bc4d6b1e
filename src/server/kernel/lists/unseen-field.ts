import { rightName } from '../../../model/field-rights.ts'
import { labelText } from '../../../model/labels.ts'
import { isClear } from '../auth/field-rights.ts'
import type { CallContext } from '../context/call-context.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import type { ListSpec } from './list-spec.ts'

/**
 * Refuses filters on fields that the caller does not see, because the found rows would reveal the value.
 *
 * @throws Refusal 400 BAD_FILTER, with the label of the field
 */
export function refuseUnseen(name: string, { entity }: Pick<ListSpec, 'entity'>, ctx: CallContext): void {
  if (isClear(ctx.caller, entity, name)) return
  const module = ctx.model.modules.get(entity.replace(/^m\./, ''))
  const field = module?.fields.find((one) => name === rightName(module, one))
  refuse(
    400,
    'BAD_FILTER',
    text('list.unseen', { label: field === undefined ? name : labelText(field.label) }),
    {
      detail: name,
    },
  )
}
