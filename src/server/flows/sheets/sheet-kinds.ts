import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Permission } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { ExtEntity } from '../../kernel/fields/ext-fields.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { type Changeable, updateRecord } from '../../kernel/records/change-record.ts'
import type { NewHolder } from '../../kernel/records/new-holder.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import type { TextCode } from '../../kernel/text/text.ts'
import { type MaskableRow, maskOf, maskRow, poolMasks, rightsMask } from '../../kernel/visibility/masking.ts'
import { ACTIVITY_LIST } from '../../modules/activities/list-spec.ts'
import { createActivity, updateActivity } from '../../modules/activities/write-activity.ts'
import { BUSSINESS_CHANGE } from '../../modules/bussiness/change-bussiness.ts'
import { rolesInWords } from '../../modules/bussiness/contact-roles.ts'
import { createBussiness } from '../../modules/bussiness/create-bussiness.ts'
import { BUSSINESS_LIST } from '../../modules/bussiness/list-spec.ts'
import { CONTACT_CHANGE } from '../../modules/contacts/change-contact.ts'
import { createContact } from '../../modules/contacts/create-contact.ts'
import { CONTACT_LIST } from '../../modules/contacts/list-spec.ts'
import { CONTRACT_LIST } from '../../modules/contracts/list-spec.ts'
import { createContract, updateContract } from '../../modules/contracts/write-contract.ts'
import { CUSTOMER_CHANGE } from '../../modules/customers/change-customer.ts'
import { shownContact } from '../../modules/customers/contacts.ts'
import { createCustomer } from '../../modules/customers/create-customer.ts'
import { CUSTOMER_LIST } from '../../modules/customers/list-spec.ts'
import { LEAD_CHANGE } from '../../modules/leads/change-lead.ts'
import { createLead } from '../../modules/leads/create-lead.ts'
import { LEAD_LIST } from '../../modules/leads/list-spec.ts'
import { PAYMENT_LIST } from '../../modules/payments/list-spec.ts'
import { createPayment, updatePayment } from '../../modules/payments/write-payment.ts'
import { PRODUCT_LIST } from '../../modules/products/list-spec.ts'
import { createProduct, updateProduct } from '../../modules/products/write-product.ts'
import type { HeldEntity } from './holder-of-row.ts'
import {
  type FindKnown,
  knownActivity,
  knownBussiness,
  knownContact,
  knownContract,
  knownCustomer,
  knownLead,
  knownPayment,
  knownProduct,
} from './known-records.ts'
import { type ColumnOverrides, column, moduleColumns, type SheetColumn } from './sheet-column.ts'
import TITLES from './titles.json'

/** Records that can be exported and imported: everything that people fill in. */
export type SheetEntity = ExtEntity

type Write = (body: JsonObject, ctx: CallContext, form: FormCheck) => Promise<WriteResult<Json>>

/** How one entity is exported. */
export interface ExportKind extends ColumnOverrides {
  /** The module whose description, field rights and `export` permission apply. */
  readonly entity: string
  /** The list with complete rows: visibility is decided as in the list. */
  readonly list: ListSpec
  /** Columns before and after those of the module's fields. */
  readonly before?: readonly SheetColumn[]
  readonly after?: readonly SheetColumn[]
  /** The row limited to what the caller may see. */
  readonly shown: <Row extends MaskableRow>(row: Row, caller: Caller) => Row
}

/** How one entity is imported as well. */
export interface SheetKind extends ExportKind {
  readonly entity: SheetEntity
  /** Columns that a file may contain but an export does not. */
  readonly more?: readonly SheetColumn[]
  readonly formPage: string
  /** Rows that name their owner, or are imported into a pool; null for records that belong to another one. */
  readonly held: HeldEntity | null
  readonly create: (...given: [...Parameters<Write>, holder?: NewHolder]) => ReturnType<Write>
  /** Finds the record of a row, if rows may change existing records. */
  readonly known: FindKnown
  /** Columns by which it does. */
  readonly keys: readonly string[]
  readonly update: Write
}

/** A column that a file may contain, with its alternative titles. */
const filled = (name: keyof typeof TITLES, label: TextCode, more: Partial<Field> = {}) =>
  column(name, label, { ...more, import: TITLES[name], isFilled: true })

/** A new customer's first contact is in the same row (DOMAIN 8.3). */
const FIRST_CONTACT = [
  { ...filled('contact_name', 'sheet.contact', { max: 40 }), guardedBy: ['contact', 'name'] },
  {
    ...filled('contact_mobile', 'sheet.contact-mobile', { kind: 'phone', form: 'mobile' }),
    guardedBy: ['contact', 'mobile'],
  },
] as const satisfies readonly SheetColumn[]
const CUSTOMER_NAME = filled('customer_name', 'customer.field.name', { max: 100, required: true })
/** Who gets the record of a row. */
export const OWNER = filled('owner_name', 'sheet.owner', { max: 40 })
const OWNER_NAME = column('owner_name', 'sheet.owner')
const CREATED = column('created_at', 'sheet.created', { kind: 'moment' })
/** The last columns of every owned record. */
const OWNED = [OWNER_NAME, column('last_follow_at', 'sheet.last-follow', { kind: 'moment' }), CREATED]
/** Only what the roles hide. */
const byRights =
  (entity: SheetEntity) =>
  <Row extends MaskableRow>(row: Row, caller: Caller) =>
    maskRow(row, rightsMask(caller, entity))

const changing =
  (kind: Changeable): Write =>
  (body, ctx, form) =>
    updateRecord(kind, body, ctx, form)

export const SHEETS: Readonly<Record<SheetEntity, SheetKind>> = {
  customer: {
    entity: 'customer',
    list: { ...CUSTOMER_LIST, columns: () => sql`c.*, o.name as owner_name, ${poolMasks('c')}` },
    after: OWNED,
    more: [...FIRST_CONTACT, OWNER],
    held: 'customer',
    shown: (row, caller) => maskRow(row, maskOf(caller, 'customer', row)),
    formPage: '/pages/customer/my/add',
    create: ({ contact_name, contact_mobile, ...rest }, ctx, form, holder) => {
      // As on the form, whose only number is that of the customer.
      const contact = { name: contact_name ?? null, mobile: contact_mobile ?? rest.mobile ?? null }
      const isNamed = contact_name !== undefined || contact_mobile !== undefined
      return createCustomer({ ...rest, ...(isNamed ? { contacts: [contact] } : {}) }, ctx, form, holder)
    },
    known: knownCustomer,
    keys: ['name', 'credit_code'],
    update: changing(CUSTOMER_CHANGE),
  },
  contact: {
    entity: 'contact',
    list: {
      ...CONTACT_LIST,
      columns: () => sql`k.*, c.name as customer_name, c.owner_id, o.name as owner_name, ${poolMasks('c')}`,
    },
    before: [CUSTOMER_NAME],
    without: ['customer_id'],
    after: OWNED,
    shown: (row, caller) => shownContact(row, maskOf(caller, 'contact', row)),
    formPage: '/pages/customer/contact/add',
    held: null,
    create: async (body, ctx, form) => createContact(await ofCustomer(body, ctx), ctx, form),
    known: knownContact,
    keys: ['name', 'mobile'],
    update: changing(CONTACT_CHANGE),
  },
  lead: {
    entity: 'lead',
    list: { ...LEAD_LIST, columns: () => sql`l.*, o.name as owner_name, ${poolMasks('l')}` },
    after: OWNED,
    more: [OWNER],
    shown: (row, caller) => maskRow(row, maskOf(caller, 'lead', row)),
    formPage: '/pages/customer/leads/add',
    held: 'lead',
    create: createLead,
    known: knownLead,
    keys: ['name'],
    update: changing(LEAD_CHANGE),
  },
  bussiness: {
    entity: 'bussiness',
    list: {
      ...BUSSINESS_LIST,
      columns:
        () => sql`b.*, c.name as customer_name, o.name as owner_name, ${rolesInWords('b')} as contact_roles,
        ${poolMasks('b')}`,
    },
    before: [CUSTOMER_NAME],
    without: ['customer_id'],
    exportOnly: ['stage_id'],
    after: [column('contact_roles', 'sheet.contact-roles'), ...OWNED],
    more: [OWNER],
    shown: (row, caller) => maskRow(row, maskOf(caller, 'bussiness', row)),
    formPage: '/pages/bussiness/add',
    held: 'bussiness',
    create: async (body, ctx, form, holder) =>
      createBussiness(await ofCustomer(body, ctx), ctx, form, holder),
    known: knownBussiness,
    keys: ['name'],
    update: changing(BUSSINESS_CHANGE),
  },
  contract: {
    entity: 'contract',
    list: { ...CONTRACT_LIST, columns: () => sql`k.*, c.name as customer_name, o.name as owner_name` },
    before: [CUSTOMER_NAME],
    without: ['customer_id'],
    after: [OWNER_NAME, CREATED],
    shown: byRights('contract'),
    formPage: '/pages/contract/add',
    held: null,
    create: async (body, ctx, form) => createContract(await ofCustomer(body, ctx), ctx, form),
    known: knownContract,
    keys: ['contract_no', 'name'],
    update: updateContract,
  },
  payment: {
    entity: 'payment',
    list: {
      ...PAYMENT_LIST,
      columns: () =>
        sql`p.*, k.contract_no, k.name as contract_name, c.name as customer_name, o.name as owner_name`,
    },
    before: [
      column('customer_name', 'customer.field.name'),
      filled('contract_no', 'contract.field.contract_no', { max: 40, required: true }),
      column('contract_name', 'contract.field.name'),
    ],
    without: ['contract_id'],
    after: [OWNER_NAME, CREATED],
    shown: byRights('payment'),
    formPage: '/pages/contract/payment/add',
    held: null,
    create: async ({ contract_no, ...body }, ctx, form) =>
      createPayment({ ...body, contract_id: await contractNumbered(contract_no, ctx) }, ctx, form),
    known: knownPayment,
    keys: ['payment_no'],
    update: updatePayment,
  },
  product: {
    entity: 'product',
    list: { ...PRODUCT_LIST, columns: () => sql`p.*` },
    after: [CREATED],
    shown: byRights('product'),
    formPage: '/pages/product/add',
    held: null,
    create: createProduct,
    known: knownProduct,
    keys: ['product_no', 'name', 'category_id'],
    update: updateProduct,
  },
  activity: {
    entity: 'activity',
    list: { ...ACTIVITY_LIST, columns: () => sql`a.*, o.name as owner_name` },
    after: [OWNER_NAME, CREATED],
    shown: byRights('activity'),
    formPage: '/pages/activity/add',
    held: null,
    create: createActivity,
    known: knownActivity,
    keys: ['name'],
    update: updateActivity,
  },
}
export const SHEET_ENTITIES = Object.keys(SHEETS) as readonly SheetEntity[]

/** Kinds that can be imported with people as owners. */
export const mayImport = (entity: SheetEntity): Permission => `${entity}:import`

/** Every column of a sheet, in order, the tenant's own last. */
export function columnsOf(kind: ExportKind, { model }: Pick<CallContext, 'model'>): readonly SheetColumn[] {
  const module = model.modules.get(kind.entity)
  const described = module === undefined ? [] : moduleColumns(module, kind)
  const { before = [], after = [] } = kind
  return [
    ...described.filter(isNumber),
    ...before,
    ...described.filter((one) => one.own === undefined && !isNumber(one)),
    ...after,
    ...described.filter(({ own }) => own !== undefined),
  ]
}

const isNumber = ({ field, own }: SheetColumn): boolean => own === undefined && field.kind === 'auto-number'

/** Everything that a file of the entity can contain: the product's columns, additional columns of files, and the tenant's own. */
export function filledColumns(kind: SheetKind, ctx: Pick<CallContext, 'model'>): readonly SheetColumn[] {
  const columns = columnsOf(kind, ctx).filter(({ isFilled }) => isFilled)
  const isOwn = ({ own }: SheetColumn) => own !== undefined
  return [...columns.filter((one) => !isOwn(one)), ...(kind.more ?? []), ...columns.filter(isOwn)]
}

/** The body of a row with its customer: the visible one with that name; null leaves the refusal to the record's own rules. */
async function ofCustomer(
  { customer_name, ...body }: JsonObject,
  { trx, caller }: CallContext,
): Promise<JsonObject> {
  const { rows } = await sql<{ id: string }>`select c.id from customer c
    where c.tenant_id = ${caller.tenantId} and c.name = ${String(customer_name ?? '')} and c.deleted_at is null
    order by c.owner_id = ${caller.userId} desc nulls last, c.id limit 1`.execute(trx)
  return { ...body, customer_id: rows[0]?.id ?? null }
}

/** The contract with that number; null leaves the refusal to the payment's own rules. */
async function contractNumbered(
  number: Json | undefined,
  { trx, caller }: CallContext,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select k.id from contract k
    where k.tenant_id = ${caller.tenantId} and k.contract_no = ${String(number ?? '')} and k.deleted_at is null
    order by k.replaced_by is null desc, k.id limit 1`.execute(trx)
  return rows[0]?.id ?? null
}
