/** What administrators manage: `/engine/web/{name}/{list,detail,save,delete}` (DOMAIN 8.6). */
export const ADMIN_KINDS = [
  'user',
  'role',
  'dept',
  'dict',
  'menu',
  'pool',
  'flow',
  'stage',
  'notice',
  'log',
  'tenant',
  'connection',
] as const
export type AdminKind = (typeof ADMIN_KINDS)[number]

/** A stage of the sales flow, or a way to end (`is_end`). */
export interface AdminStage {
  readonly id: string
  readonly name: string
  readonly color: string
  /** Percent; fixed for an end. */
  readonly win_rate: number
  /** Fields to fill in before the stage is left; of an end: before it is reached. */
  readonly required: readonly string[]
  /** Nothing goes there any more. */
  readonly retired: boolean
  readonly is_end: boolean
  /** Opportunities in it now. */
  readonly records: number
}

export interface AdminUser {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly mobile: string
  readonly email: string
  readonly avatar: string
  readonly employee_no: string
  readonly dept_id: string | null
  readonly dept_name: string | null
  readonly position: string
  readonly supervisor_id: string | null
  readonly supervisor_name: string | null
  readonly role_ids: readonly string[]
  readonly role_names: string
  readonly status: 'enabled' | 'disabled' | 'left'
  readonly last_used_at: string | null
  readonly version: number
}

/** What a colleague still holds; POST /engine/web/user/handover gives it to another. */
export interface Holdings {
  readonly customer: number
  readonly lead: number
  readonly bussiness: number
  readonly contract: number
  readonly payment: number
  /** Records of the tenant's own modules. */
  readonly record: number
  readonly todo: number
  readonly approval: number
}

export interface AdminRole {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly scopes: Readonly<Record<string, string>>
  readonly custom_depts: Readonly<Record<string, readonly string[]>>
  readonly permissions: readonly string[]
  readonly field_rights: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly members: number
  readonly version: number
}

/** A department with those below it; `members` counts its own people. */
export interface AdminDept {
  readonly id: string
  readonly parent_id: string | null
  readonly name: string
  readonly leader_id: string | null
  readonly leader_name: string | null
  readonly sort: number
  readonly members: number
  readonly children: readonly AdminDept[]
}

export interface AdminDict {
  readonly key: string
  readonly name: string
  readonly tree: boolean
  /** Its values belong to the product: labels and colours may be changed, values not added or taken away. */
  readonly system: boolean
  readonly items: readonly AdminDictItem[]
}
export interface AdminDictItem {
  readonly value: string
  readonly label: string
  readonly color: string
  readonly sort: number
  readonly disabled: boolean
  readonly parent: string
  readonly is_default: boolean
}

/** What a tenant decides about itself; edition, number of people and expiry are the operator's. */
/** An external system that the tenant's pages ask by `conn:<name>/path`. */
export interface AdminConnection {
  readonly id: string
  /** Fixed once it is made: pages name it. */
  readonly name: string
  readonly label: string
  readonly base: string
  readonly methods: readonly string[]
  /** One a line; `*` is one part, `**` at the end everything below. */
  readonly paths: string
  /** Headers and address parameters; of a secret one only `state` says that it is set. */
  readonly parts: readonly {
    readonly place: 'header' | 'query'
    readonly name: string
    readonly value: string
    readonly secret: boolean
    readonly state: string
  }[]
  readonly format: 'json' | 'form'
  readonly seconds: number
  readonly kilobytes: number
  readonly perMinute: number
  readonly retries: number
  readonly version: number
}

export interface AdminTenant {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly short_name: string
  readonly edition: string
  readonly max_users: number
  readonly members: number
  readonly timezone: string
  readonly expire_at: string | null
  readonly over_collect: 'warn' | 'block' | 'allow'
  /** Origins that its pages may ask for data, one a line; '' all that the operator allows, `none` not one of them. */
  readonly data_origins: string
  /** Pages are published by somebody else than their author. */
  readonly second_publisher: boolean
  readonly version: number
}

export interface AdminPool {
  readonly id: string
  readonly entity: 'customer' | 'lead' | 'bussiness' | `m.${string}`
  readonly name: string
  readonly is_default: boolean
  readonly enabled: boolean
  readonly member_all: boolean
  readonly member_user_ids: readonly string[]
  readonly member_dept_ids: readonly string[]
  readonly admin_user_ids: readonly string[]
  readonly records: number
  readonly version: number
}

export interface AdminNotice {
  readonly id: string
  readonly title: string
  readonly content: string
  readonly dept_ids: readonly string[]
  readonly status: 'draft' | 'published' | 'withdrawn'
  readonly pinned_until: string | null
  readonly published_at: string | null
  readonly created_at: string
  readonly author_name: string | null
  readonly version: number
}

/** A field of a log entry as it was and became. */
export interface AdminLogChange {
  readonly label: string
  readonly was: string
  readonly is: string
}
