import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { isTextCode, text } from '../../kernel/text/text.ts'
import type { ApiCall } from './document.ts'

type Modules = ReadonlyMap<string, MergedModule>

/** The permission of a call as on the page of a role: 客户 · 新建; a text also for calls available to every session, or without one. */
export function rightOf({ permission, isPublic }: ApiCall, modules: Modules): string {
  return permission === null ? text(isPublic ? 'api.public' : 'api.any') : rightName(permission, modules)
}

/** `customer:add` → 客户 · 新建, with the tenant's labels of modules. */
function rightName(permission: string, modules: Modules): string {
  const [of = '', action = ''] = permission.split(':')
  const module = modules.get(of.replace(/^m\./, ''))
  const owner = module === undefined ? wordOf(`right.of.${of}`) : labelText(module.label)
  const done = wordOf(`right.${of}.${action}`) ?? wordOf(`right.${action}`)
  return [owner, done].filter((word) => word !== null).join(' · ') || permission
}

const wordOf = (code: string): string | null => (isTextCode(code) ? text(code) : null)
