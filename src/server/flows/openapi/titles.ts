import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { isTextCode, text } from '../../kernel/text/text.ts'

/** The title of a call: the words of its path, with the tenant's labels of modules: 客户 · 视图 · 保存. */
export function titleOf(path: string, modules: ReadonlyMap<string, MergedModule>): string {
  const steps = path.split('/').filter((step) => step !== '' && !step.startsWith(':'))
  const from = steps.length === 1 ? 0 : path.startsWith('/engine/web/') || path.startsWith('/mini/m/') ? 2 : 1
  return steps
    .slice(from)
    .map((step) => wordOf(step, modules))
    .join(' · ')
}

function wordOf(step: string, modules: ReadonlyMap<string, MergedModule>): string {
  const module = modules.get(step)
  if (module !== undefined) return labelText(module.label)
  const code = `api.word.${step}`
  return isTextCode(code) ? text(code) : step
}
