import type { Field } from './description.ts'
import { extName } from './form-fields.ts'
import { labelText } from './labels.ts'
import type { MergedModule } from './merge-module.ts'

/** Records that name a record of another module by a field of the tenant's own: a tab on the other's detail, and a count. */
export interface Inverse {
  readonly module: MergedModule
  readonly field: Field
  /** How lists call the field. */
  readonly called: string
  /** The value of the tab, and the key of the count in `related`. */
  readonly tab: string
  readonly label: string
}

/**
 * What names a module with `inverse`: own modules in their order, then those of the product. A tab that two ask for belongs to the first, the
 * other has its module's name with it.
 */
export function inversesOf(modules: Iterable<MergedModule>, name: string): readonly Inverse[] {
  const tabs = new Set<string>()
  const all = [...modules]
  const tenantModules = all.filter(({ origin }) => origin === 'tenant')
  return [...tenantModules, ...all.filter(({ origin }) => origin === 'vendor')].flatMap((module) =>
    module.fields.flatMap((field): Inverse[] => {
      const { inverse, retired, origin } = field
      if (origin !== 'tenant' || inverse === undefined || retired === true || field.module !== name) return []
      const tab = tabs.has(inverse.tab) ? `${inverse.tab}_${module.name}_${field.name}` : inverse.tab
      tabs.add(tab)
      const called = module.origin === 'tenant' ? field.name : extName(field.name)
      return [{ module, field, called, tab, label: labelText(inverse.label) }]
    }),
  )
}
