import { type RawBuilder, sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { fieldsToldBy, followingFrom, maskedInPools } from '../../../model/followed-fields.ts'
import { extName } from '../../../model/form-fields.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { Caller } from '../auth/caller.ts'
import { fieldRight } from '../auth/field-rights.ts'
import { columnNamed } from '../db/column.ts'
import { maskName, maskPhone, maskText } from '../words/mask.ts'

/** Entities whose rows may be shown in part. */
export type MaskedEntity = 'customer' | 'lead' | 'bussiness' | 'contact'

/** The facts that decide how much of a row is shown. */
export interface MaskableRow {
  readonly owner_id: string | null
  /** `masked_fields` of the pool that contains the row; null or absent means the default of DOMAIN 1.2.1. */
  readonly pool_masks?: unknown
}

/** Fields of a row whose values are held back, and those that are left out. */
export interface Mask {
  readonly masked: ReadonlySet<string>
  readonly hidden: ReadonlySet<string>
  /** Fields that are shown in part if they are masked, beside ways to reach people; all others are empty then. */
  readonly inPart?: ReadonlySet<string> | undefined
}

/** Fields with direct contact data of a person. */
export const CONTACT_FIELDS = ['mobile', 'mobile2', 'telephone', 'wechat', 'email', 'qq'] as const
const DEFAULT_POOL_MASKS: Readonly<Record<MaskedEntity, readonly string[]>> = {
  customer: [...CONTACT_FIELDS, 'contacts'],
  contact: [...CONTACT_FIELDS, 'contacts'],
  lead: [...CONTACT_FIELDS, 'contacts'],
  bussiness: ['amount'],
}
export const isMaskedEntity = (name: string): name is MaskedEntity => Object.hasOwn(DEFAULT_POOL_MASKS, name)

/** Further fields that are masked together with a field. */
const DEPENDENT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  amount: ['weighted', 'lines', 'discount_rate'],
  mobile: ['mobile2', 'contact_mobile'],
  contacts: ['contact_name', 'contact_mobile', 'attachments'],
}
const PHONES: ReadonlySet<string> = new Set(['mobile', 'mobile2', 'telephone', 'contact_mobile'])
const NAMES: ReadonlySet<string> = new Set(['contact_name'])
/** Free text, which may contain a phone number. */
const TEXTS: ReadonlySet<string> = new Set([
  'remark',
  'demand',
  'last_follow_content',
  'content',
  'next_plan',
  'next_step',
])
const IN_PART: ReadonlySet<string> = new Set([...CONTACT_FIELDS, ...PHONES, ...NAMES])
const NO_FIELDS: ReadonlySet<string> = new Set()
const NO_MASK: Mask = { masked: NO_FIELDS, hidden: NO_FIELDS }

/** The masks of the pool that contains a row, as a column `pool_masks` (null outside pools). */
export function poolMasks(row: string): RawBuilder<unknown> {
  return sql`case when ${columnNamed(`${row}.pool_id`)} is not null then (select masks.settings -> 'masked_fields' from pool masks
    where masks.tenant_id = ${columnNamed(`${row}.tenant_id`)} and masks.id = ${columnNamed(`${row}.pool_id`)}) end as pool_masks`
}

/**
 * The mask of a row for the caller: pools mask contact data before a claim, roles hide or mask fields (DOMAIN 1.2.1, 2.3).
 *
 * @param module  the description, if the row shows the tenant's own fields: it says which of them pools mask, and which follow from a masked field
 */
export function maskOf(caller: Caller, entity: MaskedEntity, row: MaskableRow, module?: MergedModule): Mask {
  const isInPool = row.owner_id === null
  if (!isInPool && caller.fieldRights[entity] === undefined && caller.fieldRights.contact === undefined)
    return NO_MASK
  const rights = Object.entries(caller.fieldRights[entity] ?? {})
  const fieldsWith = (right: 'masked' | 'hidden') =>
    rights.filter(([, it]) => it === right).map(([field]) => field)
  const poolFields = isInPool ? poolMasksOf(entity, row.pool_masks) : []
  const maskedOwnFields = isInPool && module !== undefined ? [...maskedInPools(module)].filter(isExtName) : []
  const contactFields =
    entity !== 'contact' && fieldRight(caller, 'contact', 'mobile') !== 'write' ? ['contact_mobile'] : []
  const masked = new Set(
    [...fieldsWith('masked'), ...poolFields, ...maskedOwnFields, ...contactFields].flatMap((field) => [
      field,
      ...(DEPENDENT_FIELDS[field] ?? []),
    ]),
  )
  return {
    masked: module === undefined ? masked : new Set([...masked, ...followingFrom(module, masked)]),
    hidden: new Set(fieldsWith('hidden')),
    inPart: caller.shownInPart?.get(entity),
  }
}

/** The combination of two masks. */
export function combineMasks(first: Mask, second: Mask): Mask {
  if (isClearMask(second)) return first
  return {
    masked: new Set([...first.masked, ...second.masked]),
    hidden: new Set([...first.hidden, ...second.hidden]),
    inPart: new Set([...(first.inPart ?? []), ...(second.inPart ?? [])]),
  }
}

/** The fields of every row that the caller's roles hide or mask. */
export function rightsMask({ fieldRights, shownInPart }: Caller, entity: string): Mask {
  const rights = Object.entries(fieldRights[entity] ?? {})
  const fieldsWith = (right: 'masked' | 'hidden') =>
    new Set(rights.filter(([, it]) => it === right).map(([field]) => field))
  return { masked: fieldsWith('masked'), hidden: fieldsWith('hidden'), inPart: shownInPart?.get(entity) }
}

function poolMasksOf(entity: MaskedEntity, setting: unknown): readonly string[] {
  if (!Array.isArray(setting)) return DEFAULT_POOL_MASKS[entity]
  return setting.filter((field) => typeof field === 'string')
}

/** True if nothing of a row is hidden or masked. */
function isClearMask({ masked, hidden }: Mask): boolean {
  return masked.size === 0 && hidden.size === 0
}

/** True if phone numbers and mail addresses in free texts are masked. */
export const isTextMasked = ({ masked }: Mask): boolean => CONTACT_FIELDS.some((field) => masked.has(field))

/** The row with masked fields shown in part or empty, and hidden ones left out. */
export function maskRow<Row extends object>(row: Row, mask: Mask): Row {
  if (isClearMask(mask)) return row
  const masksContacts = isTextMasked(mask)
  const entries = Object.entries(row)
    .filter(([key]) => !isNamed(mask.hidden, key))
    .map(([key, value]) => {
      if (isNamed(mask.masked, key)) return [key, maskValue(key, value, mask)]
      if (key === 'ext' && isObject(value)) return [key, maskExt(value as JsonObject, mask)]
      return [key, masksContacts && TEXTS.has(key) && typeof value === 'string' ? maskNumbers(value) : value]
    })
  return Object.fromEntries(entries) as Row
}

/** True for a field in the set, and for what stands beside its value. */
const isNamed = (fields: ReadonlySet<string>, key: string): boolean =>
  fields.size > 0 && fieldsToldBy(key).some((field) => fields.has(field))

const isExtName = (name: string): boolean => name.startsWith(extName(''))

/** Masks values of the tenant's own fields, named `ext.<name>` in a mask. */
export const maskExt = (ext: JsonObject, mask: Mask): JsonObject => maskOwnFields(ext, mask, extName)

/** Masks values of a record of the tenant's own module, whose fields a mask names directly. */
export const maskValues = (values: JsonObject, mask: Mask): JsonObject =>
  maskOwnFields(values, mask, (name) => name)

function maskOwnFields(values: JsonObject, mask: Mask, nameInMask: (name: string) => string): JsonObject {
  if (isClearMask(mask)) return values
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => !mask.hidden.has(nameInMask(name)))
      .map(([name, value]): [string, Json] => [
        name,
        mask.masked.has(nameInMask(name))
          ? maskOwnValue(value ?? null, mask.inPart?.has(nameInMask(name)) === true)
          : (value ?? null),
      ]),
  )
}

const PHONE = /^\d[\d-]{6,19}$/

function maskOwnValue(value: Json, isShownInPart: boolean): Json {
  if (Array.isArray(value)) return []
  if (typeof value !== 'string' || !isShownInPart) return null
  return PHONE.test(value) ? maskPhone(value) : maskText(value)
}

/** The visible part of a masked value. */
function maskValue(field: string, value: unknown, { inPart }: Mask): unknown {
  if (Array.isArray(value)) return []
  if (typeof value !== 'string' || !(IN_PART.has(field) || inPart?.has(field))) return null
  if (PHONES.has(field)) return maskPhone(value)
  return NAMES.has(field) ? maskName(value) : maskText(value)
}

// PostgreSQL reads them, too: it would take digits and letters of every script for `\d` and `\w`.
const NUMBERS =
  /(?<![0-9])(?:\+?86[- ]?)?(?:1[3-9][0-9][- ]?[0-9]{4}[- ]?[0-9]{4}|0[0-9]{2,3}-?[0-9]{7,8})(?![0-9])/g
const ADDRESSES = /[^\s@,，。;；:：]{1,64}@[A-Za-z0-9_.-]+\.[A-Za-z0-9_]+/g

/** A text in which phone numbers and mail addresses are masked. */
function maskNumbers(text: string): string {
  return text
    .replace(NUMBERS, (number) => maskPhone(number))
    .replace(ADDRESSES, (address) => maskText(address))
}

/** What can be found of a text whose phone numbers and mail addresses are masked: all but these. */
export const textWithoutNumbers = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`regexp_replace(regexp_replace(${column}, ${NUMBERS.source}, '*', 'g'), ${ADDRESSES.source}, '*', 'g')`
