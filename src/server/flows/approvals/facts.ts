import { sql } from 'kysely'
import { formatDecimal, moneyText } from '../../../../runtime/core/decimal.ts'
import { isObject, type Json, type JsonObject, sameJson } from '../../../../runtime/core/json.ts'
import type {
  ApprovalChange,
  ApprovalDetail,
  ApprovalEntity,
  ApprovalFact,
} from '../../../contract/approval.ts'
import type { ProductLine } from '../../../contract/contract.ts'
import { rightName } from '../../../model/field-rights.ts'
import type { Words } from '../../../model/kind.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { isEmpty } from '../../../model/read-record.ts'
import { describedIn, moduleOf, tableOf } from '../../kernel/approvals/entity.ts'
import { fieldRight, isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { wordsFor, writeSeen } from '../../kernel/fields/value-words.ts'
import { isNameable } from '../../kernel/fields/words.ts'
import { wireValues } from '../../kernel/records/wire.ts'
import { text } from '../../kernel/text/text.ts'
import { type StoredPayment, sharesOf, unassigned } from '../../modules/payments/payment.ts'

type ApprovalContent = Pick<ApprovalDetail, 'facts' | 'changes' | 'lines' | 'files'>

/** Fields shown in the head of the card; a change by a revision is still listed. */
const IN_HEAD: ReadonlySet<string> = new Set(['name', 'customer_id', 'contract_id', 'amount'])
/** Fields shown by the state of the approval. */
const STATES: ReadonlySet<string> = new Set(['approval_status', 'perform_status'])
/** Computed by the system: not for the approver to decide. */
const RECKONED: ReadonlySet<string> = new Set([
  'received_amount',
  'unreceived_amount',
  'contract_no',
  'payment_no',
])

/** The facts for an approver: the record's fields as texts, the changes of a revision, and the sold products. */
export async function factsOf(
  entity: ApprovalEntity,
  recordId: string,
  ctx: CallContext,
): Promise<ApprovalContent> {
  const read = await readSubject(entity, recordId, ctx)
  if (read === null) return { facts: [], changes: [], lines: [], files: [] }
  const { row, fields, is, words, title } = read
  const facts = fields.flatMap((field): ApprovalFact[] => {
    const valueText = write(field, is[field.name], words)
    return valueText === '' || isProductLines(field) || IN_HEAD.has(field.name) || field.name === title
      ? []
      : [{ label: labelText(field.label), text: valueText }]
  })
  const ofContract =
    entity === 'payment' ? [...(await shareFacts(row, ctx)), ...(await contractFacts(row, ctx))] : []
  const sold = is.lines ?? row.lines
  return {
    facts: [...facts, ...ofContract],
    changes: changesIn(read),
    lines: fields.some((field) => field.name === 'lines' && isProductLines(field))
      ? (linesIn(sold) as unknown as readonly ProductLine[])
      : [],
    files: filesOf(entity, row, ctx),
  }
}

/** The changes of a revision, by field, as texts; empty if it replaces nothing. */
export async function changesOf(
  entity: ApprovalEntity,
  recordId: string,
  ctx: CallContext,
): Promise<readonly ApprovalChange[]> {
  const read = await readSubject(entity, recordId, ctx)
  return read === null ? [] : changesIn(read)
}

/** A record under approval: its row, its values, those of the record it replaces, and their texts. */
interface ReadSubject {
  readonly row: JsonObject
  /** The field that contains its name. */
  readonly title: string
  readonly fields: readonly MergedField[]
  readonly is: JsonObject
  readonly was: JsonObject | null
  readonly words: Words
}

async function readSubject(
  entity: ApprovalEntity,
  recordId: string,
  ctx: CallContext,
): Promise<ReadSubject | null> {
  const row = await rowOf(entity, recordId, ctx)
  if (row === null) return null
  const before = await rowBefore(entity, row, ctx)
  const module = ctx.model.modules.get(describedIn(entity) ?? entity)
  const fields = module === undefined ? [] : fieldsFor(entity, module, ctx)
  const is = plainValues(row, fields)
  const was = before === null ? null : plainValues(before, fields)
  const words = await wordsFor(fields, was === null ? [is] : [is, was], ctx)
  return { row, title: module?.title ?? '', fields, is, was, words }
}

function changesIn({ fields, is, was, words }: ReadSubject): readonly ApprovalChange[] {
  if (was === null) return []
  const valueText = (field: MergedField, values: JsonObject) =>
    write(field, values[field.name], words) || text('log.nothing')
  return fields
    .filter(({ name }) => !sameJson(is[name] ?? null, was[name] ?? null))
    .map((field) => {
      const change = { label: labelText(field.label), was: valueText(field, was), is: valueText(field, is) }
      return { ...change, text: text('approval.change', change) }
    })
}

/** Rows of the product's sub-forms are shown separately. */
const isProductLines = ({ kind, origin, rows }: MergedField): boolean =>
  kind === 'lines' && (origin === 'vendor' || rows !== undefined)

/** Fields with files. */
const FILES = { contract: ['attachments'], payment: ['voucher'] } as const

function filesOf(entity: ApprovalEntity, row: JsonObject, ctx: CallContext): ReturnType<typeof filesIn> {
  if (entity === 'contract' || entity === 'payment')
    return FILES[entity].flatMap((name) => (isSeen(entity, name, ctx) ? filesIn(row[name]) : []))
  const ext = isObject(row.ext) ? row.ext : {}
  return (moduleOf(entity, ctx)?.fields ?? [])
    .filter(({ kind }) => kind === 'files' || kind === 'pictures')
    .flatMap(({ name }) => (isSeen(entity, name, ctx) ? filesIn(ext[name]) : []))
}

const filesIn = (value: Json | undefined): readonly { readonly name: string; readonly url: string }[] =>
  linesIn(value).map(({ name, url }) => ({ name: String(name ?? ''), url: String(url ?? '') }))

function isSeen(entity: ApprovalEntity, name: string, { caller }: CallContext): boolean {
  const right = fieldRight(caller, entity, name)
  return right !== 'hidden' && right !== 'masked'
}

/** The record that a revision replaces: the previous contract or version. */
async function rowBefore(
  entity: ApprovalEntity,
  row: JsonObject,
  ctx: CallContext,
): Promise<JsonObject | null> {
  if (typeof row.revision_of === 'string') return rowOf('contract', row.revision_of, ctx)
  if (tableOf(entity) !== 'record') return null
  const { rows } = await sql<{
    ext: JsonObject
  }>`select ext from record_version where tenant_id = ${ctx.caller.tenantId}
    and module = ${describedIn(entity)} and record_id = ${String(row.id)} order by no desc limit 1`.execute(
    ctx.trx,
  )
  return rows[0] ?? null
}

async function rowOf(entity: ApprovalEntity, id: string, { trx, caller, zone }: CallContext) {
  const { rows } = await sql<object>`select * from ${sql.table(tableOf(entity))}
    where tenant_id = ${caller.tenantId} and id = ${id}`.execute(trx)
  return rows[0] === undefined ? null : wireValues(rows[0], zone)
}

/** Fields that have a text and that the caller's roles may see in full. */
function fieldsFor(entity: ApprovalEntity, module: MergedModule, ctx: CallContext): readonly MergedField[] {
  return module.fields.filter((field) => {
    const isFile = field.kind === 'files' || field.kind === 'pictures'
    const isElsewhere = isFile || STATES.has(field.name) || RECKONED.has(field.name)
    const isShown = isNameable(field) && !isElsewhere && field.retired !== true
    return isShown && isSeen(entity, rightName(module, field), ctx)
  })
}

function plainValues(row: JsonObject, fields: readonly MergedField[]): JsonObject {
  const ext = isObject(row.ext) ? row.ext : {}
  return Object.fromEntries(
    fields.map(({ name, origin }) => [name, (origin === 'tenant' ? ext[name] : row[name]) ?? null]),
  )
}

/** A value as text. */
function write(field: MergedField, value: Json | undefined, words: Words): string {
  if (value === undefined || isEmpty(value)) return ''
  if (isProductLines(field)) return linesIn(value).map(lineWords).join('；')
  if (field.kind === 'money' && typeof value === 'number') return moneyText(value)
  return writeSeen(value, field, words)
}

const linesIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

const lineWords = ({ product_name, quantity, price }: JsonObject): string =>
  text('approval.line', {
    name: String(product_name ?? ''),
    quantity: Number(quantity ?? 0),
    price: formatDecimal(Number(price ?? 0), 2),
  })

/** For which plans a payment counts, or will count, and what it leaves unassigned. */
async function shareFacts(row: JsonObject, ctx: CallContext): Promise<readonly ApprovalFact[]> {
  if (!isSeen('payment', 'shares', ctx)) return []
  const payment = row as unknown as StoredPayment
  const shares = await sharesOf(payment, ctx)
  const rest = unassigned(payment, shares)
  const parts = [
    ...shares.map((it) => `${text('plan.period', { period: it.period_no })} ${moneyText(it.amount)}`),
    ...(rest > 0 ? [text('approval.fact.unassigned', { amount: moneyText(rest) })] : []),
  ]
  return parts.length === 0 ? [] : [{ label: text('approval.fact.shares'), text: parts.join('；') }]
}

/** What a payment is for, and how much was received before. */
async function contractFacts(
  payment: JsonObject,
  { trx, caller }: CallContext,
): Promise<readonly ApprovalFact[]> {
  const amountText = (field: string, sum: number) =>
    isClear(caller, 'contract', field) ? moneyText(sum) : text('record.withheld')
  const { rows } = await sql<{
    contract_no: string
    name: string
    amount: number
    received: number
    open: number
  }>`
    select contract_no, name, amount, received_amount as received, unreceived_amount as open from contract
    where tenant_id = ${caller.tenantId} and id = ${String(payment.contract_id)}`.execute(trx)
  return rows.flatMap(({ contract_no, name, amount, received, open }) => [
    { label: text('approval.fact.contract'), text: `${name} ${contract_no}` },
    { label: text('approval.fact.amount'), text: amountText('amount', amount) },
    {
      label: text(payment.approval_status === 2 ? 'approval.fact.received-with' : 'approval.fact.received'),
      text: amountText('received_amount', received),
    },
    { label: text('approval.fact.open'), text: amountText('unreceived_amount', open) },
  ])
}
