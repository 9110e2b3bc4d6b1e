import type { JsonObject } from '../../../../runtime/core/json.ts'
import { labelText } from '../../../model/labels.ts'
import { groupsOf } from '../../../model/merge-module.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { groupsToStore, inOrder } from './field-places.ts'
import { changeModule, type Saving } from './save-module.ts'

/** Changes the order of a module's fields. @throws Refusal as `saveModule` */
export function saveOrder(
  module: string,
  order: JsonObject,
  base: number | undefined,
  saving: Saving,
): Promise<number> {
  const { library } = saving
  return changeModule(module, base, saving, async (description) => {
    const { modules } = await library.within(saving.trx, saving.caller.tenantId)
    const described = modules.get(module) ?? refuse(404, 'NOT_FOUND', text('model.unknown'))
    const shipped = library.vendor(module)
    const vendor = shipped === undefined ? undefined : groupsOf(shipped)
    return groupsToStore(inOrder(described, order), vendor, description, labelText(described.label))
  })
}
