import type { FieldRights } from './field-rights.ts'
import {
  allOf,
  allOwn,
  type DataScope,
  type Module,
  type OWN_ACTIONS,
  type OwnPermission,
  type Permission,
} from './permissions.ts'

/** A role as created for a new tenant; the tenant may edit its copy (DOMAIN 2.1). */
export interface RoleTemplate {
  readonly code: string
  readonly name: string
  readonly scopes: Readonly<Partial<Record<Module | 'default', DataScope>>>
  readonly permissions: readonly (Permission | OwnPermission | '*')[]
  /** Fields this role may not write or see in full; all others it may (DOMAIN 2.3). */
  readonly fieldRights?: FieldRights
}

/** Sales documents that are defined by module descriptions. */
const PAPERS = ['quotation', 'sales_order', 'invoice_request', 'expense'] as const

const onPapers = (...actions: readonly (typeof OWN_ACTIONS)[number][]): readonly OwnPermission[] =>
  PAPERS.flatMap((name) => actions.map((action): OwnPermission => `m.${name}:${action}`))

const SALES: readonly (Permission | OwnPermission)[] = [
  ...allOf('customer', 'del', 'merge', 'import', 'export'),
  'customer_pool:view',
  'customer_pool:claim',
  'lead_pool:view',
  'lead_pool:claim',
  'bussiness_pool:view',
  'bussiness_pool:claim',
  ...allOf('contact', 'export'),
  ...allOf('lead', 'export'),
  ...allOf('bussiness', 'reopen', 'import', 'export'),
  ...allOf('contract', 'approve', 'void', 'import', 'export'),
  ...allOf('payment', 'approve', 'reverse', 'import', 'export'),
  ...onPapers('view', 'add', 'edit', 'del'),
  'product:view',
  'activity:view',
  ...allOf('follow', 'export'),
  'stats:self',
  'stats:rank',
]

const MANAGER: readonly (Permission | OwnPermission)[] = [
  ...allOf('customer'),
  'customer_pool:view',
  'customer_pool:claim',
  'customer_pool:assign',
  'lead_pool:view',
  'lead_pool:claim',
  'lead_pool:assign',
  'bussiness_pool:view',
  'bussiness_pool:claim',
  'bussiness_pool:assign',
  ...allOf('contact'),
  ...allOf('lead'),
  ...allOf('bussiness'),
  ...allOf('contract'),
  'payment:view',
  ...PAPERS.flatMap(allOwn),
  ...allOf('product', 'del'),
  ...allOf('activity', 'del'),
  ...allOf('follow'),
  ...allOf('stats', 'money'),
]

const DIRECTOR: readonly (Permission | OwnPermission)[] = [
  ...MANAGER,
  ...allOf('customer_pool'),
  ...allOf('lead_pool'),
  ...allOf('bussiness_pool'),
  ...allOf('product'),
  ...allOf('activity'),
  'payment:export',
  'stats:money',
]

const PHONES_MASKED = { mobile: 'masked', telephone: 'masked', wechat: 'masked', email: 'masked' } as const

/** The default roles (DOMAIN 2.1, 2.3). */
export const ROLES: readonly RoleTemplate[] = [
  { code: 'tenant_admin', name: '管理员', scopes: { default: 'all' }, permissions: ['*'] },
  { code: 'sales_director', name: '销售总监', scopes: { default: 'dept_sub' }, permissions: DIRECTOR },
  { code: 'sales_manager', name: '销售经理', scopes: { default: 'dept_sub' }, permissions: MANAGER },
  {
    code: 'sales',
    name: '销售',
    scopes: { default: 'self' },
    permissions: SALES,
    fieldRights: { bussiness: { win_rate: 'read' }, product: { cost: 'hidden' } },
  },
  {
    code: 'sdr',
    name: '线索专员',
    scopes: { default: 'self', lead: 'all', lead_pool: 'all' },
    permissions: [
      ...allOf('lead'),
      ...allOf('lead_pool'),
      'customer:view',
      'contact:view',
      'contact:add',
      ...allOf('follow', 'export'),
      'stats:self',
    ],
  },
  {
    code: 'finance',
    name: '财务',
    scopes: { default: 'all' },
    permissions: [
      'customer:view',
      'contact:view',
      'bussiness:view',
      'contract:view',
      'contract:approve',
      'contract:void',
      'contract:export',
      ...allOf('payment'),
      ...onPapers('view'),
      'm.invoice_request:edit',
      'm.invoice_request:approve',
      'm.invoice_request:export',
      'm.expense:add',
      'm.expense:edit',
      'm.expense:approve',
      'm.expense:export',
      'follow:view',
      'product:view',
      'stats:money',
    ],
  },
  {
    code: 'service',
    name: '客服',
    scopes: { default: 'self', customer: 'all', contact: 'all' },
    permissions: ['customer:view', 'contact:view', ...allOf('follow', 'comment', 'export')],
  },
  {
    code: 'observer',
    name: '只读',
    scopes: { default: 'dept_sub' },
    permissions: [
      'customer:view',
      'contact:view',
      'lead:view',
      'bussiness:view',
      'contract:view',
      'payment:view',
      ...onPapers('view'),
      'product:view',
      'activity:view',
      'follow:view',
      'stats:self',
      'stats:team',
      'stats:rank',
    ],
    fieldRights: {
      customer: PHONES_MASKED,
      contact: { ...PHONES_MASKED, mobile2: 'masked', qq: 'masked' },
      lead: PHONES_MASKED,
    },
  },
]
