import { isObject, type Json, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { OWN_ACTIONS, type OwnPermission, type OwnRights, ownRights } from '../auth/permissions.ts'
import { summaryOfModules } from './cached-by-model.ts'
import type { TenantModel } from './library.ts'
import { createMention } from './mention.ts'

const ownNames = summaryOfModules(({ modules }) =>
  [...modules.values()].flatMap(({ name, origin }) => (origin === 'tenant' ? [name] : [])),
)

/** The tenant's own modules. */
export const ownModules = (model: TenantModel): readonly MergedModule[] =>
  ownNames(model).flatMap((name) => model.modules.get(name) ?? [])

const OF_POOLS: readonly string[] = ['pool', 'claim', 'assign', 'release']

/** What can be done with the records of that module: where nobody owns or approves them and none lie in pools, nobody is given the right to. */
export const actionsOf = ({ behaviours, approval }: Pick<MergedModule, 'behaviours' | 'approval'>) =>
  OWN_ACTIONS.filter((action) => {
    if (action === 'transfer') return behaviours.includes('owned')
    if (OF_POOLS.includes(action)) return behaviours.includes('pool')
    return action !== 'approve' || approval !== undefined
  })

/** The permissions that the screen of a role offers for that module. */
export const offeredRights = (module: MergedModule): readonly OwnPermission[] =>
  actionsOf(module).map((action): OwnPermission => `${ownRights(module.name)}:${action}`)

/** The field names of a form for the permissions on an own module: `p_m_ticket`, `s_m_ticket`. */
export const rightsField = (kind: 'm' | 'p' | 's', rights: OwnRights): string =>
  `${kind}_${rights.replace('.', '_')}`

/**
 * The page with the permissions on the tenant's own modules. A container with the option `"rights": "own"` is repeated for each of them, its widgets
 * `s_own` and `p_own` (values `own:view` …) renamed after it; `{ "rights": "own" }` in a body becomes their values, by module. Tabs with the option
 * `"modules": "own"` get one more tab for each of them (`m/ticket`) if the user may import or export there; `"own:del"` names another permission. A
 * rule of a page `{ "permission": "own:import" }` is repeated for each, for the parameter `module`.
 *
 * @param written  the page before anything was inserted
 */
export function withOwnRights(document: JsonObject, model: TenantModel, written: JsonObject): JsonObject {
  return takesOwnRights(written) ? (filledIn(document, ownModules(model)) as JsonObject) : document
}

/** True for a page that depends on the own modules. */
export const takesOwnRights = createMention(/"rights":"own"|"modules":"own(?::\w+)?"|"permission":"own:/)

function filledIn(value: Json, modules: readonly MergedModule[]): Json {
  if (Array.isArray(value))
    return value.flatMap((item) => {
      const action = /^own:(\w+)$/.exec(String(ownValue(item, 'permission') ?? ''))?.[1]
      if (action !== undefined) return modules.map(({ name }) => permissionOf(name, action))
      return isMarked(ownValue(item, 'options'))
        ? modules.map((module) => groupOf(item as JsonObject, module))
        : [filledIn(item, modules)]
    })
  if (!isObject(value)) return value
  if (isMarked(value) && Object.keys(value).length === 1)
    return Object.fromEntries(modules.map(({ name }) => [ownRights(name), heldBy(ownRights(name))]))
  const { modules: mark, ...rest } = value
  const [module, action] = typeof mark === 'string' ? mark.split(':') : []
  const actions = action === undefined ? ['import', 'export'] : [action]
  const options =
    module === 'own' ? { ...rest, optionItems: withTabs(rest.optionItems ?? [], modules, actions) } : value
  return Object.fromEntries(
    Object.entries(options).map(([key, child]) => [key, filledIn(child ?? null, modules)]),
  )
}

const withTabs = (items: Json, modules: readonly MergedModule[], actions: readonly string[]): Json => [
  ...(Array.isArray(items) ? items : []),
  ...modules.map(({ name, label }) => ({
    label: labelText(label),
    value: `m/${name}`,
    visibleOn: {
      or: actions.map((action) => ({
        in: [`${ownRights(name)}:${action}`, { var: 'user.permissions' }],
      })),
    },
  })),
]

const permissionOf = (name: string, action: string): JsonObject => ({
  if: { '==': [{ var: 'params.module' }, `m/${name}`] },
  permission: `${ownRights(name)}:${action}`,
})

const isMarked = (value: unknown): boolean => ownValue(value, 'rights') === 'own'

const heldBy = (rights: OwnRights): JsonObject => ({
  permissions: `{{ form.${rightsField('p', rights)} }}`,
  scope: `{{ form.${rightsField('s', rights)} }}`,
})

function groupOf(template: JsonObject, module: MergedModule): JsonObject {
  const rights = ownRights(module.name)
  const offered: ReadonlySet<string> = new Set(actionsOf(module))
  const isOffered = (item: Json): boolean => {
    const action = /^own:(\w+)$/.exec(String(ownValue(item, 'value') ?? ''))?.[1]
    return action === undefined || offered.has(action)
  }
  const named = (value: Json): Json => {
    if (Array.isArray(value)) return value.filter(isOffered).map(named)
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, named(child ?? null)]))
    if (typeof value !== 'string') return value
    const field = /^([mps])_own$/.exec(value)?.[1] as 'm' | 'p' | 's' | undefined
    return field === undefined ? value.replace(/^own:/, `${rights}:`) : rightsField(field, rights)
  }
  const { options, ...rest } = named(template) as JsonObject
  const { rights: _, ...otherOptions } = isObject(options) ? options : {}
  return { ...rest, options: { ...otherOptions, label: labelText(module.label) } }
}
