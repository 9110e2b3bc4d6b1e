import type { Generated } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'

/**
 * What may be published together, in the order of application: pages use fields, fields dictionaries, menus pages. Deletions come last, when nothing
 * in the set uses the deleted item any more.
 */
export const KINDS = ['dict', 'module', 'field', 'page', 'menu', 'field-delete', 'module-delete'] as const
export type ItemKind = (typeof KINDS)[number]

/**
 * `open`: being composed. `asked`: waits for a second person. `scheduled`: waits for its time. `partial`: some people have it. `back`: was published
 * and reverted.
 */
export type SetStatus = 'open' | 'asked' | 'scheduled' | 'partial' | 'published' | 'back'

export interface ChangeSetTable {
  tenant_id: string
  id: string
  title: string
  note: Generated<string>
  status: Generated<SetStatus>
  host: Generated<string>
  created_by: string
  created_at: Date
  updated_at: Date
  publish_at: Generated<Date | null>
  audience: Generated<Json>
  asked_by: Generated<string | null>
  /** Who decided when and to whom it is published: it is applied in their name. */
  planned_by: Generated<string | null>
  failure: Generated<string>
  published_by: Generated<string | null>
  published_at: Generated<Date | null>
  back_by: Generated<string | null>
  back_at: Generated<Date | null>
}

export interface ChangeSetItemTable {
  tenant_id: string
  set_id: string
  kind: ItemKind
  name: string
  title: string
  content: Json
  base: Json
  words: Generated<Json>
  added_by: string
  added_at: Date
  undo: Generated<Json>
  became: Generated<Json>
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    change_set: ChangeSetTable
    change_set_item: ChangeSetItemTable
  }
}
