import type { Behaviour, ModuleDescription } from './description.ts'

/** A quick tab of a derived list: everything, whose records, what one has to do with, or those of a status. */
interface ListTab {
  readonly name: string
  /** The value of the status; absent: no tab of a status. */
  readonly status?: string
}

/** What the tabs of a list follow from. */
interface Tabbed {
  readonly can: (behaviour: Behaviour) => boolean
  /** Values of the status, in their order. */
  readonly statuses: readonly string[]
}

type Tabs = readonly [ListTab, ...ListTab[]]

/** The quick tabs that the derived list of a module can have. */
export const possibleTabs = ({ can, statuses }: Tabbed): Tabs => [
  { name: 'all' },
  ...(can('owned') ? [{ name: 'mine' }, { name: 'team' }] : []),
  ...(can('team') ? [{ name: 'collaborating' }] : []),
  ...(can('star') ? [{ name: 'starred' }] : []),
  ...(can('pool') ? [{ name: 'recycling' }] : []),
  ...statuses.map((status) => ({ name: `status_${status}`, status })),
]

/** Those it has: all of them, or those that `tabs` names, in that order. */
export function tabsOf({
  behaviours,
  fields,
  statuses,
  tabs = [],
}: Pick<ModuleDescription, 'behaviours' | 'fields' | 'statuses' | 'tabs'>): Tabs {
  const field = fields.find(({ name }) => name === statuses?.field)
  const possible = possibleTabs({
    can: (behaviour) => behaviours.includes(behaviour),
    statuses: (field?.options ?? []).map(({ value }) => value),
  })
  const [first, ...others] = tabs.flatMap((name) => possible.find((one) => one.name === name) ?? [])
  return first === undefined ? possible : [first, ...others]
}
