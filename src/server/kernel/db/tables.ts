import type { ColumnType, Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'

/**
 * Row types by table name. A module adds its own tables by declaration merging, beside its SQL: `declare module './tables.ts' { interface Tables {
 * customer: CustomerTable } }`.
 */
export interface Tables extends PlatformTables {}

/** A column that may be left out of an insert and is then null. */
export type Optional<T> = Generated<T | null>
/** Money is read and written as a number. */
export type Money = ColumnType<number, number, number>

/** Columns every tenant table has (DOMAIN 0). Inserts supply `id` (see `newId`), `created_by` and `updated_by`. */
export interface CommonColumns {
  id: string
  tenant_id: string
  created_by: string | null
  created_at: Generated<Date>
  updated_by: string | null
  updated_at: Generated<Date>
  deleted_at: Generated<Date | null>
  version: Generated<number>
  ext: Generated<Json>
}

/** How a record came to its owner (DOMAIN 1.0). */
export type ObtainWay = 'created' | 'claimed' | 'assigned' | 'transferred' | 'converted' | 'imported'

/** The owned mixin (DOMAIN 1.0). */
export interface OwnedColumns {
  owner_id: Optional<string>
  owner_dept_id: Optional<string>
  owner_since: Optional<Date>
  obtain_way: Generated<ObtainWay>
  prev_owner_id: Optional<string>
  pool_id: Optional<string>
  pool_entered_at: Optional<Date>
  pool_reason: Optional<string>
  pool_times: Generated<number>
  expire_at: Optional<Date>
  follow_status: Generated<'none' | 'followed'>
  last_follow_at: Optional<Date>
  last_follow_by: Optional<string>
  last_follow_content: Optional<string>
  next_follow_at: Optional<Date>
}

/** The platform's own tables (migration 0001). */
export interface PlatformTables {
  tenant: {
    id: string
    code: string
    name: string
    short_name: Generated<string>
    logo: Generated<string>
    industry: Generated<string>
    edition: Generated<string>
    max_users: Generated<number>
    timezone: Generated<string>
    status: Generated<'normal' | 'disabled' | 'expired'>
    expire_at: Generated<Date | null>
    settings: Generated<Json>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  app_user: {
    id: string
    account: string
    mobile: string | null
    email: string | null
    password_hash: string
    password_history: Generated<Json>
    password_changed_at: Generated<Date>
    must_change_password: Generated<boolean>
    is_demo: Generated<boolean>
    status: Generated<'normal' | 'locked' | 'cancelled'>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  session: {
    id: string
    user_id: string
    tenant_id: string
    device_id: string
    device_name: Generated<string>
    created_at: Generated<Date>
    seen_at: Generated<Date>
    expires_at: Date
    revoked_at: Generated<Date | null>
    revoked_reason: Generated<string | null>
    handed_over: Generated<boolean>
  }
  login_failure: {
    account: string
    count: Generated<number>
    locked_until: Generated<Date | null>
    updated_at: Generated<Date>
  }
  captcha: { id: string; answer: string; device_id: string; expires_at: Date }
  membership: Omit<CommonColumns, 'id'> & {
    user_id: string
    name: string
    mobile: Generated<string>
    email: Generated<string>
    avatar: Generated<string>
    gender: Generated<string>
    wechat: Generated<string>
    signature: Generated<string>
    py: Generated<string>
    employee_no: Generated<string>
    dept_id: string | null
    position: Generated<string>
    supervisor_id: string | null
    status: Generated<'enabled' | 'disabled' | 'left'>
    is_default: Generated<boolean>
    last_used_at: Generated<Date | null>
    selected: Generated<Json>
    preferences: Generated<Json>
  }
  department: CommonColumns & {
    parent_id: string | null
    name: string
    path: string
    leader_id: string | null
    sort: Generated<number>
  }
  role: CommonColumns & {
    code: string
    name: string
    scopes: Json
    permissions: Json
    field_rights: Generated<Json>
    custom_depts: Generated<Json>
    sort: Generated<number>
  }
  role_assignment: { tenant_id: string; user_id: string; role_id: string }
  dict_type: {
    tenant_id: string
    key: string
    name: string
    tree: Generated<boolean>
    system: Generated<boolean>
  }
  dict_item: {
    tenant_id: string
    type_key: string
    value: string
    label: string
    color: Generated<string>
    sort: Generated<number>
    disabled: Generated<boolean>
    parent: Generated<string>
    is_default: Generated<boolean>
    ext: Generated<Json>
  }
  menu: {
    tenant_id: string
    id: number
    parent_id: Generated<number>
    hide: Generated<number>
    path: string
    title: string
    icon: Generated<string>
    component: Generated<string>
    sort: Generated<number>
    slot: Generated<Json>
    permission: string | null
  }
  page_override: {
    tenant_id: string
    path: string
    revision: number
    status: 'draft' | 'published' | 'archived'
    document: Json
    /** As posted, if it was a text. */
    text: Generated<string | null>
    /** The revision it is based on; 0: the product's page. */
    base: Generated<number>
    /** The product's page at the time of publishing; null if there was none. */
    vendor_document: Generated<Json | null>
    changes: Generated<Json>
    etag: string
    note: Generated<string>
    created_by: string | null
    created_at: Generated<Date>
    published_at: Generated<Date | null>
    /** When another revision became current. */
    archived_at: Generated<Date | null>
  }
  page_draft: {
    tenant_id: string
    path: string
    user_id: string
    text: string
    /** The revision it started from. */
    base: number
    /** Changes each time it is saved. */
    stamp: string
    updated_at: Date
  }
  page_visit: {
    tenant_id: string
    path: string
    user_id: string
    seen_at: Date
  }
  file: CommonColumns & {
    name: string
    file_ext: string
    mime: string
    size: number
    sha256: string
    biz: Generated<string>
    /** When the bytes of a deleted file were removed. */
    gone_at: Generated<Date | null>
  }
  idempotency: {
    tenant_id: string
    user_id: string
    client_token: string
    path: string
    body_hash: string
    answer: Json | null
    created_at: Generated<Date>
  }
  audit_log: {
    tenant_id: string
    id: string
    user_id: string | null
    action: string
    entity: string
    record_id: string | null
    detail: Generated<Json>
    request_id: Generated<string>
    address: Generated<string>
    at: Generated<Date>
  }
}
