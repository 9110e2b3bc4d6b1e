import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { DictEntry, DictMap } from '../../../contract/dict.ts'
import { MOBILE } from '../../../model/kinds/contact.ts'
import type { MergedField } from '../../../model/merge-module.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Permission } from '../../kernel/auth/permissions.ts'
import type { InputField, InputFields } from '../../kernel/fields/input.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import type { Changeable } from '../../kernel/records/change-record.ts'
import type { NewHolder } from '../../kernel/records/new-holder.ts'
import type { Written } from '../../kernel/records/write-once.ts'
import { type TextCode, text } from '../../kernel/text/text.ts'
import { type MaskableRow, maskOf, poolMasks, shownRow } from '../../kernel/visibility/masking.ts'
import { BUSSINESS_CHANGE } from '../../modules/bussiness/change-bussiness.ts'
import { createBussiness } from '../../modules/bussiness/create-bussiness.ts'
import { BUSSINESS_FIELDS } from '../../modules/bussiness/fields.ts'
import { BUSSINESS_LIST } from '../../modules/bussiness/list-spec.ts'
import { CONTACT_CHANGE } from '../../modules/contacts/change-contact.ts'
import { createContact } from '../../modules/contacts/create-contact.ts'
import { CONTACT_LIST } from '../../modules/contacts/list-spec.ts'
import { CUSTOMER_CHANGE } from '../../modules/customers/change-customer.ts'
import { shownContact } from '../../modules/customers/contacts.ts'
import { createCustomer } from '../../modules/customers/create-customer.ts'
import { CONTACT_FIELDS, CUSTOMER_FIELDS } from '../../modules/customers/fields.ts'
import { CUSTOMER_LIST } from '../../modules/customers/list-spec.ts'
import { LEAD_CHANGE } from '../../modules/leads/change-lead.ts'
import { createLead } from '../../modules/leads/create-lead.ts'
import { LEAD_FIELDS } from '../../modules/leads/fields.ts'
import { LEAD_LIST } from '../../modules/leads/list-spec.ts'
import type { HeldEntity } from './holder-of-row.ts'
import { type FindKnown, knownBussiness, knownContact, knownCustomer, knownLead } from './known-records.ts'

/** Records that come and go as sheets. */
export type SheetEntity = 'customer' | 'contact' | 'lead' | 'bussiness'
export const SHEET_ENTITIES: readonly SheetEntity[] = ['customer', 'contact', 'lead', 'bussiness']

/** One column of a sheet: a field of the product's or of the tenant's own, or something the system knows of the record (neither). */
export interface SheetColumn {
  readonly name: string
  readonly label: string
  readonly field?: InputField
  readonly own?: MergedField
  readonly dict?: string
}

/** A column that a file may fill. */
export type InputColumn = SheetColumn & ({ readonly field: InputField } | { readonly own: MergedField })

/** True when a file needs the column. */
export const isRequired = ({ field, own }: SheetColumn): boolean => (field ?? own)?.required === true

/** How one entity is written to a sheet. */
export interface ExportKind {
  /** Whose field rights and `export` permission count. */
  readonly entity: string
  /** The list with whole rows: who sees what is decided as in the list. */
  readonly list: ListSpec
  readonly columns: readonly SheetColumn[]
  /** The row as far as the caller may see it. */
  readonly shown: <Row extends MaskableRow>(row: Row, caller: Caller) => Row
}

/** How one entity is read from a sheet as well. */
export interface SheetKind extends ExportKind {
  readonly entity: SheetEntity
  /** Columns of a file that somebody fills in and that an export does not have. */
  readonly more?: readonly InputColumn[]
  readonly formPage: string
  /** Whose rows say who gets them, or go into a pool; null for what belongs to another record. */
  readonly held: HeldEntity | null
  /** Whose right lets rows go to people; null where they only go into a pool. */
  readonly permission: Permission | null
  readonly create: (
    body: JsonObject,
    asking: Asking,
    form: FormCheck,
    holder?: NewHolder,
  ) => Promise<Written<Json>>
  /** The record a row stands for, when rows may change what is there. */
  readonly known: FindKnown
  readonly change: Changeable
}

const KINDS = new Set<InputField['kind']>([
  'text',
  'dict',
  'dicts',
  'region',
  'number',
  'moment',
  'day',
  'flag',
])
/** Coordinates are no column for people. */
const LEFT_OUT = new Set(['lng', 'lat'])

export function fieldColumns(fields: InputFields): readonly SheetColumn[] {
  return Object.entries(fields)
    .filter(([name, field]) => KINDS.has(field.kind) && !LEFT_OUT.has(name))
    .map(([name, field]) => ({
      name,
      label: text(field.label),
      field,
      ...('dict' in field ? { dict: field.dict } : {}),
    }))
}

/** A column that the system fills. */
export const system = (name: string, label: TextCode, dict?: string): SheetColumn => ({
  name,
  label: text(label),
  ...(dict === undefined ? {} : { dict }),
})
/** Who is met there first: a new customer comes with its contact in one row (DOMAIN 8.3). */
const FIRST_CONTACT: readonly InputColumn[] = [
  {
    name: 'contact_name',
    label: text('sheet.contact'),
    field: { kind: 'text', max: 40, label: 'sheet.contact' },
  },
  {
    name: 'contact_mobile',
    label: text('sheet.contact-mobile'),
    field: { kind: 'text', max: 11, pattern: MOBILE, label: 'sheet.contact-mobile' },
  },
]
/** Whose record it is. */
const CUSTOMER_NAME: InputColumn = {
  name: 'customer_name',
  label: text('customer.field.name'),
  field: { kind: 'text', max: 100, label: 'customer.field.name', required: true },
}
/** Who gets the record of a row. */
const OWNER: InputColumn = {
  name: 'owner_name',
  label: text('sheet.owner'),
  field: { kind: 'text', max: 40, label: 'sheet.owner' },
}
/** What every record with an owner shows at its end. */
export const OWNED = [
  system('owner_name', 'sheet.owner'),
  system('last_follow_at', 'sheet.last-follow'),
  system('created_at', 'sheet.created'),
]

export const SHEETS: Readonly<Record<SheetEntity, SheetKind>> = {
  customer: {
    entity: 'customer',
    list: {
      ...CUSTOMER_LIST,
      columns: () => sql`c.*, o.name as owner_name, ${poolMasks('c')}`,
    },
    columns: [system('customer_no', 'sheet.customer-no'), ...fieldColumns(CUSTOMER_FIELDS), ...OWNED],
    more: [...FIRST_CONTACT, OWNER],
    held: 'customer',
    permission: 'customer:import',
    shown: (row, caller) => shownRow(row, maskOf(caller, 'customer', row)),
    formPage: '/pages/customer/my/add',
    create: ({ contact_name, contact_mobile, ...rest }, asking, form, holder) => {
      const contact = { name: contact_name ?? null, mobile: contact_mobile ?? null }
      const isNamed = contact_name !== undefined || contact_mobile !== undefined
      return createCustomer({ ...rest, ...(isNamed ? { contacts: [contact] } : {}) }, asking, form, holder)
    },
    known: knownCustomer,
    change: CUSTOMER_CHANGE,
  },
  contact: {
    entity: 'contact',
    list: {
      ...CONTACT_LIST,
      columns: () => sql`k.*, c.name as customer_name, c.owner_id, o.name as owner_name, ${poolMasks('c')}`,
    },
    columns: [CUSTOMER_NAME, ...fieldColumns(CONTACT_FIELDS), ...OWNED],
    shown: (row, caller) => shownContact(row, maskOf(caller, 'contact', row)),
    formPage: '/pages/customer/contact/add',
    held: null,
    permission: 'contact:import',
    known: knownContact,
    change: CONTACT_CHANGE,
    create: async (body, asking, form) => {
      const { customer_name, ...rest } = body
      return createContact(
        { ...rest, customer_id: await customerCalled(customer_name, asking) },
        asking,
        form,
      )
    },
  },
  lead: {
    entity: 'lead',
    list: { ...LEAD_LIST, columns: () => sql`l.*, o.name as owner_name, ${poolMasks('l')}` },
    columns: [...fieldColumns(LEAD_FIELDS), system('status', 'sheet.lead-status', 'lead_status'), ...OWNED],
    shown: (row, caller) => shownRow(row, maskOf(caller, 'lead', row)),
    formPage: '/pages/customer/leads/add',
    more: [OWNER],
    held: 'lead',
    permission: 'lead:import',
    create: createLead,
    known: knownLead,
    change: LEAD_CHANGE,
  },
  bussiness: {
    entity: 'bussiness',
    list: {
      ...BUSSINESS_LIST,
      columns: () => sql`b.*, c.name as customer_name, o.name as owner_name, ${poolMasks('b')}`,
    },
    columns: [
      system('bussiness_no', 'sheet.bussiness-no'),
      CUSTOMER_NAME,
      ...fieldColumns(BUSSINESS_FIELDS),
      system('stage_id', 'bussiness.field.stage_id', 'bussiness_stage'),
      system('status', 'sheet.bussiness-status', 'bussiness_status'),
      system('lose_reason', 'bussiness.field.lose_reason', 'lose_reason'),
      system('closed_at', 'bussiness.field.closed_at'),
      ...OWNED,
    ],
    shown: (row, caller) => shownRow(row, maskOf(caller, 'bussiness', row)),
    formPage: '/pages/bussiness/add',
    held: 'bussiness',
    permission: null,
    create: async ({ customer_name, ...rest }, asking, form, holder) =>
      createBussiness(
        { ...rest, customer_id: await customerCalled(customer_name, asking) },
        asking,
        form,
        holder,
      ),
    known: knownBussiness,
    change: BUSSINESS_CHANGE,
  },
}

/** The columns of a file that somebody fills in, but for the tenant's own. */
export function inputColumns(kind: SheetKind): readonly InputColumn[] {
  const own = kind.columns.flatMap((column) =>
    column.field === undefined ? [] : [{ ...column, field: column.field }],
  )
  return [...own, ...(kind.more ?? [])]
}

/** Value → label of a dictionary, branches and leaves. */
export function labelsOf(dicts: DictMap, key: string | undefined): ReadonlyMap<string, string> {
  const walk = (entries: readonly DictEntry[]): readonly [string, string][] =>
    entries.flatMap((entry) => [
      [String(entry.value), entry.label] as [string, string],
      ...walk(entry.children ?? []),
    ])
  return new Map(key === undefined ? [] : walk(dicts[key] ?? []))
}

/** The one customer of that name the caller sees; null leaves the refusal to the contact's own rules. */
async function customerCalled(name: Json | undefined, { trx, caller }: Asking): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select c.id from customer c
    where c.tenant_id = ${caller.tenantId} and c.name = ${String(name ?? '')} and c.deleted_at is null
    order by c.owner_id = ${caller.userId} desc nulls last, c.id limit 1`.execute(trx)
  return rows[0]?.id ?? null
}
