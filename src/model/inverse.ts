import type { Field } from './description.ts'
import { labelText } from './labels.ts'
import type { MergedModule } from './merge-module.ts'

/** Records of an own module that name a record of another: a tab on the other's detail, and a count. */
export interface Inverse {
  readonly module: MergedModule
  readonly field: Field
  /** The value of the tab, and the key of the count in `related`. */
  readonly tab: string
  readonly label: string
}

/** What names a module with `inverse`, in the order of the modules. A tab that two ask for belongs to the first, the other has its module's name with it. */
export function inversesOf(modules: Iterable<MergedModule>, name: string): readonly Inverse[] {
  const tabs = new Set<string>()
  return [...modules]
    .filter(({ origin }) => origin === 'tenant')
    .flatMap((module) =>
      module.fields.flatMap((field): Inverse[] => {
        const { inverse, retired } = field
        if (inverse === undefined || retired === true || field.module !== name) return []
        const tab = tabs.has(inverse.tab) ? `${inverse.tab}_${module.name}_${field.name}` : inverse.tab
        tabs.add(tab)
        return [{ module, field, tab, label: labelText(inverse.label) }]
      }),
    )
}
