import type { JsonObject } from '../../../runtime/core/json.ts'
import { addressOf, seenRule, writtenRule } from '../field-rights.ts'
import { ownName } from '../form-fields.ts'
import type { Stored } from '../kind.ts'
import { kindOf } from '../kinds/index.ts'
import { labelText } from '../labels.ts'
import type { MergedField, MergedModule } from '../merge-module.ts'
import { cellOf } from './cells.ts'
import { placeOf, shownFields, withTones } from './parts.ts'
import type { DerivedWords } from './words.ts'

/** A column of a list that is drawn as a table; `sort` is what the list's source is asked to sort by. */
export interface Column extends JsonObject {
  readonly name: string
  readonly label: string
  readonly text: string
  /** Px where there is room enough for all. */
  readonly width: number
}

/** What stays longest beside the title where there is not room for every column. */
const KEEP = { amount: 1, status: 2, owner: 3 } as const
/** Modules of the product that do not declare `statuses` say where a record stands in one of these. */
const STATUS_FIELDS = ['status', 'approval_status', 'stage_id']
const TITLE_PX = 260
/** A person's name needs less. */
const SHORT_TITLE = { max: 40, px: 150 }
/** Px that a value takes, by how it lies in the database. */
const PX: Readonly<Record<Stored, number>> = {
  text: 130,
  number: 110,
  flag: 80,
  day: 110,
  moment: 140,
  texts: 150,
  json: 160,
  none: 110,
}
/** A number given by a rule, or a code that no two records share, is not cut. */
const CODE_PX = 150
/** What names another record is as long as that one's own name. */
const KIND_PX: Readonly<Record<string, number>> = { ref: 190, user: 100, 'auto-number': CODE_PX }

/**
 * The columns of a module's list: what names a record, where it stands, what is on its card, everything else that is short, and what its behaviours add. A
 * list shows those that its rows carry, as many as there is room for, in this order.
 */
export function columnsOf(module: MergedModule, words: DerivedWords): readonly Column[] {
  const fields = shownFields(module).filter(isShort)
  const title = fields.find(({ name }) => name === module.title)
  const status = fields.find((field) => field !== title && field.name === module.statuses?.field)
  const order = fields.find((field) => isOrder(field, module))
  const others = fields.filter((field) => field !== title && field !== status && field !== order)
  const amount = others.find((field) => field.kind === 'money' && isLeading(field))
  const leading = others.filter(isLeading).map((field) => ({
    ...fieldColumn(field, module),
    ...(field === amount ? { keep: KEEP.amount } : {}),
    ...(STATUS_FIELDS.includes(field.name) ? { keep: KEEP.status } : {}),
  }))
  return [
    ...(title === undefined ? [] : [titleColumn(title, module)]),
    ...approvalColumn(module, words),
    ...(status === undefined ? [] : [{ ...fieldColumn(withTones(status), module), keep: KEEP.status }]),
    ...leading,
    ...behaviourColumns(module, words),
    ...others.filter((field) => !isLeading(field)).map((field) => fieldColumn(field, module)),
    ...(order === undefined ? [] : [fieldColumn(order, module)]),
  ]
}

/** A column is narrow; what is counted is in rows whose card shows it. */
const isShort = ({ kind, rollup, card }: MergedField): boolean =>
  kindOf(kind).long !== true || (rollup !== undefined && card === true)

/** Fields somebody compares records by. */
const isLeading = ({ card, sort }: MergedField): boolean => card === true || sort === true

/** A number that only says which row comes first: the list shows it by its order. */
const isOrder = ({ name, kind, card }: MergedField, { defaultSort }: MergedModule): boolean =>
  kind === 'integer' && card !== true && defaultSort === `${name} asc`

/** Own modules answer what names a record as `title`, sorted as it is spoken. */
function titleColumn(field: MergedField, { origin }: MergedModule): Column {
  const isOwn = origin === 'tenant'
  const sort = isOwn ? 'py' : field.sort === true ? field.name : undefined
  return {
    name: field.name,
    label: labelText(field.label),
    text: isOwn ? '{{ row.title }}' : placeOf(field, 'row'),
    width: (field.max ?? SHORT_TITLE.max + 1) > SHORT_TITLE.max ? TITLE_PX : SHORT_TITLE.px,
    primary: true,
    ...(sort === undefined ? {} : { sort }),
  }
}

function fieldColumn(field: MergedField, module: MergedModule): Column {
  const kind = kindOf(field.kind)
  const isAdded = module.origin === 'vendor' && field.origin === 'tenant'
  const name = isAdded ? ownName(field.name) : field.name
  const edit = cellOf(field, module)
  const address = addressOf(module, field)
  const isSorted = field.sort === true && (isAdded ? kind.sorts === true : true)
  return {
    name,
    label: labelText(field.label),
    text: wordsIn({ ...field, name }, module),
    width: field.unique === undefined ? (KIND_PX[field.kind] ?? PX[kind.stored]) : CODE_PX,
    ...(kind.stored === 'number' ? { align: 'end' } : {}),
    ...kind.colours?.(field),
    ...(isSorted ? { sort: isAdded ? `ext.${field.name}` : field.name, sortOn: seenRule(address) } : {}),
    ...(edit === undefined ? {} : { edit, editOn: writtenRule(address) }),
  }
}

/** Lists of the product name what a record refers to without `_id`: the words of `customer_id` are `customer_name`. */
function wordsIn(field: MergedField, { origin }: MergedModule): string {
  const isRefId = origin === 'vendor' && field.origin === 'vendor' && field.kind === 'ref'
  return isRefId ? `{{ row.${field.name.replace(/_id$/, '')}_name }}` : placeOf(field, 'row')
}

/** Where a record stands that somebody has to agree to; modules with a page of their own describe it as a field. */
const approvalColumn = ({ approval, fields }: MergedModule, words: DerivedWords): readonly Column[] =>
  approval === undefined || fields.some(({ name }) => name === 'approval_status')
    ? []
    : [
        {
          name: 'approval_status',
          label: words.approval,
          text: '{{ row.approval_status | dict:approval_status }}',
          width: PX.flag,
          keep: KEEP.status,
          dict: 'approval_status',
        },
      ]

function behaviourColumns({ behaviours, origin }: MergedModule, words: DerivedWords): readonly Column[] {
  const isOwn = origin === 'tenant'
  const moment = (name: string, label: string): Column => ({
    name,
    label,
    text: `{{ row.${name} | date:YYYY-MM-DD HH:mm }}`,
    width: PX.moment,
    ...(isOwn && name !== 'created_at' ? {} : { sort: name }),
  })
  return [
    ...(behaviours.includes('follow') ? [moment('last_follow_at', words.followedAt)] : []),
    { name: 'owner_name', label: words.owner, text: '{{ row.owner_name }}', width: 100, keep: KEEP.owner },
    moment('created_at', words.createdAt),
  ]
}

/** What asks a list to sort by the head of a column: `form.sort` is then the sort and its direction. */
export const headOrders = (columns: readonly Column[]): readonly JsonObject[] =>
  columns.flatMap(({ sort }) =>
    typeof sort !== 'string'
      ? []
      : (['asc', 'desc'] as const).map((dir) => ({
          $if: { '==': [{ var: 'form.sort' }, `${sort} ${dir}`] },
          field: sort,
          dir,
        })),
  )
