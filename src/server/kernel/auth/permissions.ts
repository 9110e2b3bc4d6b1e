/** All permissions, by module (DOMAIN 2.3). A permission is written `module:action`. */
export const ACTIONS = {
  customer: [
    'view',
    'add',
    'edit',
    'del',
    'transfer',
    'release',
    'lock',
    'deal',
    'merge',
    'import',
    'export',
    'reveal',
  ],
  customer_pool: ['view', 'claim', 'assign', 'force', 'del', 'import'],
  lead_pool: ['view', 'claim', 'assign', 'force', 'del', 'import'],
  bussiness_pool: ['view', 'claim', 'assign', 'force', 'del', 'import'],
  contact: ['view', 'add', 'edit', 'del', 'import', 'export'],
  lead: ['view', 'add', 'edit', 'del', 'transfer', 'release', 'convert', 'invalid', 'import', 'export'],
  bussiness: [
    'view',
    'add',
    'edit',
    'del',
    'transfer',
    'release',
    'stage',
    'win',
    'lose',
    'reopen',
    'import',
    'export',
  ],
  contract: [
    'view',
    'add',
    'edit',
    'del',
    'transfer',
    'submit',
    'approve',
    'void',
    'change',
    'import',
    'export',
  ],
  payment: ['view', 'add', 'edit', 'del', 'submit', 'approve', 'reverse', 'import', 'export'],
  product: ['view', 'add', 'edit', 'del', 'status', 'import', 'export'],
  activity: ['view', 'add', 'edit', 'del', 'sign_in', 'import', 'export'],
  follow: ['view', 'add', 'edit', 'del', 'comment', 'export'],
  stats: ['self', 'team', 'rank', 'target', 'money'],
  system: ['user', 'role', 'dept', 'dict', 'pool', 'form', 'flow', 'menu', 'notice', 'log', 'tenant'],
} as const

export type Module = keyof typeof ACTIONS
export type Permission = { [M in Module]: `${M}:${(typeof ACTIONS)[M][number]}` }[Module] | typeof OPERATE

/** The operator's page. No role contains it, not even `*`: it belongs to the accounts named in the settings of the installation. */
export const OPERATE = 'operator:view'

/** Whose records a role sees in a module, from narrow to wide (DOMAIN 2.2). */
export const DATA_SCOPES = ['self', 'self_sub', 'dept', 'dept_custom', 'dept_sub', 'all'] as const
export type DataScope = (typeof DATA_SCOPES)[number]

/** The widest of several scopes; `self` if there is none. */
export function widestScope(scopes: readonly DataScope[]): DataScope {
  const rank = scopes.map((scope) => DATA_SCOPES.indexOf(scope))
  return DATA_SCOPES[Math.max(0, ...rank)] ?? 'self'
}

/** Every permission of a module except the listed actions. */
export function allOf<M extends Module>(module: M, ...without: (typeof ACTIONS)[M][number][]): Permission[] {
  const excluded: readonly string[] = without
  return ACTIONS[module]
    .filter((action) => !excluded.includes(action))
    .map((action) => `${module}:${action}` as Permission)
}

/** A module of a tenant's own, as permissions and scopes name it. */
export type OwnRights = `m.${string}`
/** What can be done with the records of a module of a tenant's own. */
export const OWN_ACTIONS = [
  'view',
  'add',
  'edit',
  'del',
  'transfer',
  'approve',
  'export',
  'import',
  // Of modules whose records lie in pools: to look into them, take, give to others, and give back.
  'pool',
  'claim',
  'assign',
  'release',
] as const
/** A permission on such a module. */
export type OwnPermission = `${OwnRights}:${(typeof OWN_ACTIONS)[number]}`

/** How permissions and scopes name a module of a tenant's own. */
export const ownRights = (name: string): OwnRights => `m.${name}`

/** Every permission on a module of a tenant's own. */
export const allOwn = (name: string): readonly OwnPermission[] =>
  OWN_ACTIONS.map((action): OwnPermission => `${ownRights(name)}:${action}`)

/** `*` stands for all permissions, including those of later versions and of the tenant's own modules. @param ownModules  names of those */
export function expandPermissions(
  stored: readonly string[],
  ownModules: readonly string[] = [],
): readonly string[] {
  if (!stored.includes('*')) return [...new Set(stored)]
  const all = Object.entries(ACTIONS).flatMap(([module, actions]) =>
    actions.map((action) => `${module}:${action}`),
  )
  return [...all, ...ownModules.flatMap(allOwn)]
}
