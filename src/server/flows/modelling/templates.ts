import { checkModule } from '../../../model/check-module.ts'
import type { ModuleDescription } from '../../../model/description.ts'
import { readJsonFolder } from '../../kernel/pages/read-files.ts'

/** Module templates, in the order of their files under `schemas/templates`; invalid files are left out. */
export async function readTemplates(schemasDir: string): Promise<readonly ModuleDescription[]> {
  const files = await readJsonFolder(schemasDir, 'templates')
  return [...files]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, { content }]) => {
      const checked = checkModule(content)
      return checked.ok ? [checked.module] : []
    })
}
