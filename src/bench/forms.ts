import type { Json, JsonObject } from '../../runtime/core/json.ts'

type FieldType = 'input' | 'number' | 'select' | 'switch' | 'date' | 'textarea'

/** One field of a standard form, in terms that every implementation understands. */
export interface BenchField {
  readonly name: string
  readonly label: string
  readonly type: FieldType
  readonly required?: boolean
  readonly pattern?: string
  /** Visible only while that text field is not empty. */
  readonly visibleIf?: string
}

/**
 * S: n fields, each tenth visible only while the text field before it is not empty. H: the same, all visible; typing into the first one writes twenty
 * others. T: a sub-form of n rows with five columns.
 */
export type FormKind = 'S' | 'H' | 'T'

export interface BenchForm {
  readonly kind: FormKind
  /** The fields; for T those of one row. */
  readonly fields: readonly BenchField[]
  /** T: the data. */
  readonly rows: readonly JsonObject[]
  /** H: the fields that typing into the first one writes. */
  readonly targets: readonly BenchField[]
  /** The field that keys are typed into; for T in the middle row. */
  readonly typeIn: BenchField
  /** S: the field that appears while {@link typeIn} is not empty. */
  readonly shows: BenchField | null
}

/** The tasks of each page of the benchmark; timing starts with `mount`. */
export interface BenchPage {
  /** Converts the form to the page's own format; not timed. */
  prepare(form: BenchForm, variant: Variant): void
  mount(element: HTMLElement): void | Promise<void>
  /** Shows all messages. @returns their number */
  validate(): number | Promise<number>
  /** The value of a field in the model; `row` counts from 0. */
  value(name: string, row?: number): Json
  /** Only for pages that mount what is near the viewport: scrolls to a field. */
  reveal?(name: string, row?: number): Promise<void>
}

/** How visibility is implemented: by a rule of the page, or by the hook of the field it depends on. */
export type Variant = 'rule' | 'hook'

export const OPTIONS: readonly { readonly label: string; readonly value: string }[] = Array.from(
  { length: 10 },
  (_, i) => ({ label: `选项${i + 1}`, value: `o${i + 1}` }),
)
export const REQUIRED = '此项必填'
export const INVALID = '格式不正确'

const CYCLE: readonly FieldType[] = ['input', 'number', 'select', 'switch', 'date', 'textarea']
const LABELS: Readonly<Record<FieldType, string>> = {
  input: '手机号',
  number: '数量',
  select: '类别',
  switch: '启用',
  date: '日期',
  textarea: '备注',
}
const LINKED = 20

/** The standard form of that kind and size. */
export function benchForm(kind: FormKind, size: number): BenchForm {
  if (kind === 'T') return rowForm(size)
  const fields = Array.from({ length: size }, (_, i) => aField(i, kind === 'S'))
  const conditional = fields.filter((field) => field.visibleIf !== undefined)
  const shows = conditional[(conditional.length - 1) >> 1] ?? null
  const first = fields[0] as BenchField
  const targets = fields
    .slice(1)
    .filter(({ type }) => type === 'input' || type === 'number' || type === 'textarea')
  return {
    kind,
    fields,
    rows: [],
    targets: kind === 'H' ? targets.slice(0, LINKED) : [],
    typeIn: fields.find(({ name }) => name === shows?.visibleIf) ?? first,
    shows,
  }
}

/** The value that typing `value` into the first field writes into a target. */
export const linkedValue = (value: string, { type, name }: BenchField): string | number =>
  type === 'number' ? 1000 * Number(name.slice(1)) + value.length : `${value}-${name}`

function aField(i: number, conditional: boolean): BenchField {
  const type = CYCLE[i % CYCLE.length] as FieldType
  return {
    name: `f${i + 1}`,
    label: `${LABELS[type]}${i + 1}`,
    type,
    ...(type === 'input' ? { required: true, pattern: '^1[3-9]\\d{9}$' } : {}),
    ...(conditional && i % 10 === 9 ? { visibleIf: `f${i + 1 - (i % CYCLE.length)}` } : {}),
  }
}

function rowForm(count: number): BenchForm {
  const typeIn: BenchField = { name: 'c1', label: '名称', type: 'input', required: true }
  return {
    kind: 'T',
    fields: [
      typeIn,
      { name: 'c2', label: '数量', type: 'number' },
      { name: 'c3', label: '类别', type: 'select' },
      { name: 'c4', label: '启用', type: 'switch' },
      { name: 'c5', label: '备注', type: 'input' },
    ],
    rows: Array.from({ length: count }, (_, i) => ({
      c1: `甲${i + 1}`,
      c2: i + 1,
      c3: 'o1',
      c4: true,
      c5: `乙${i + 1}`,
    })),
    targets: [],
    typeIn,
    shows: null,
  }
}
