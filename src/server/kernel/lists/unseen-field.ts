import { rightName } from '../../../model/field-rights.ts'
import { labelText } from '../../../model/labels.ts'
import type { Asking } from '../asking/asking.ts'
import { isClear } from '../auth/field-rights.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import type { ListSpec } from './list-spec.ts'

/**
 * What finds rows by a value would tell it to whoever does not see that.
 * @throws Refusal 400 BAD_FILTER, with the field's name for its reader
 */
export function refuseUnseen(name: string, { entity }: Pick<ListSpec, 'entity'>, asking: Asking): void {
  if (isClear(asking.caller, entity, name)) return
  const module = asking.model.modules.get(entity.replace(/^m\./, ''))
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
