import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRights } from '../auth/permissions.ts'
import type { TenantModel } from '../model/library.ts'
import { isTextCode, text } from '../text/text.ts'

type Named = Pick<TenantModel, 'modules'>

const OWN = ownRights('')

/** The tenant's own module that the audit log calls so (`m.<name>`). */
export const moduleNamed = (entity: string, { modules }: Named): MergedModule | undefined =>
  entity.startsWith(OWN) ? modules.get(entity.slice(OWN.length)) : undefined

/** What was done, in words: `customer:edit`, or `m.ticket:edit` with the name of the tenant's module. */
export function actionWords(action: string, model: Named): string {
  const [entity = '', verb = ''] = action.split(':')
  const own = moduleNamed(entity, model)
  const code = `log.${entity}.${verb}`
  if (own === undefined && isTextCode(code)) return text(code)
  // What is done to records of any module alike has words that take its name: import, export.
  const common = `log.own.${verb}`
  const named = own === undefined ? entityWords(entity, model) : labelText(own.label)
  return isTextCode(common) && named !== entity ? text(common, { module: named }) : action
}

/** What something was done to, in words. */
export function entityWords(entity: string, model: Named): string {
  const own = moduleNamed(entity, model)
  const code = `entity.${entity}`
  if (own !== undefined) return labelText(own.label)
  return isTextCode(code) ? text(code) : entity
}
