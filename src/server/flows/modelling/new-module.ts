import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { ModuleDescription } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { moduleOfForm } from './module-form.ts'
import { readTemplates } from './templates.ts'

/** Another module is called so; users could not tell the two apart. */
export const isLabelOfOther = (
  label: string,
  name: string | undefined,
  modules: ReadonlyMap<string, MergedModule>,
): boolean => [...modules.values()].some((one) => one.name !== name && labelText(one.label).trim() === label)

/** The module described by the sheet 新建模块, checked against existing modules. @throws Refusal 400 with the sheet's fields */
export async function newModule(
  form: JsonObject,
  { model: { modules } }: Pick<CallContext, 'model'>,
  schemasDir: string,
): Promise<ModuleDescription> {
  const templates = await readTemplates(schemasDir)
  const owner = modules.get(String(form.belongs ?? ''))
  return moduleOfForm(
    { ...form, belongs_label: owner === undefined ? null : labelText(owner.label) },
    templates.find(({ name }) => name === form.template),
    (name) => modules.has(name),
    (label) => isLabelOfOther(label, undefined, modules),
  )
}
