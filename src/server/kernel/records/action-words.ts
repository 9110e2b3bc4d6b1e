import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRights } from '../auth/permissions.ts'
import type { TenantModel } from '../model/library.ts'
import { isTextCode, text } from '../text/text.ts'

type Named = Pick<TenantModel, 'modules'>

const OWN = ownRights('')

/** The tenant's own module behind a name in the audit log (`m.<name>`). */
export const moduleNamed = (entity: string, { modules }: Named): MergedModule | undefined =>
  entity.startsWith(OWN) ? modules.get(entity.slice(OWN.length)) : undefined

/** An action as text: `customer:edit`, or `m.ticket:edit` with the label of the tenant's module. */
export function actionWords(action: string, model: Named): string {
  const [entity = '', verb = ''] = action.split(':')
  const ownModule = moduleNamed(entity, model)
  const code = `log.${entity}.${verb}`
  if (ownModule === undefined && isTextCode(code)) return text(code)
  // Actions on records of any module share texts that contain its label: import, export.
  const common = `log.own.${verb}`
  const named = ownModule === undefined ? entityWords(entity, model) : labelText(ownModule.label)
  return isTextCode(common) && named !== entity ? text(common, { module: named }) : action
}

/** The target of an action as text. */
export function entityWords(entity: string, model: Named): string {
  const ownModule = moduleNamed(entity, model)
  const code = `entity.${entity}`
  if (ownModule !== undefined) return labelText(ownModule.label)
  return isTextCode(code) ? text(code) : entity
}
