import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { isTextCode, text } from '../../kernel/text/text.ts'
import type { ApiCall } from './document.ts'

type Modules = ReadonlyMap<string, MergedModule>

/** What a call asks for, in the words of the page of a role: 客户 · 新建; of everybody with a session, or of nobody, it says so. */
export function rightOf({ permission, isPublic }: ApiCall, modules: Modules): string {
  return permission === null ? text(isPublic ? 'api.public' : 'api.any') : rightName(permission, modules)
}

/** `customer:add` → 客户 · 新建, with modules as the tenant calls them. */
function rightName(permission: string, modules: Modules): string {
  const [of = '', action = ''] = permission.split(':')
  const module = modules.get(of.replace(/^m\./, ''))
  const owner = module === undefined ? wordOf(`right.of.${of}`) : labelText(module.label)
  const done = wordOf(`right.${of}.${action}`) ?? wordOf(`right.${action}`)
  return [owner, done].filter((word) => word !== null).join(' · ') || permission
}

const wordOf = (code: string): string | null => (isTextCode(code) ? text(code) : null)
