import type { KindName } from './description.ts'
import { writtenDate } from './written-date.ts'

/** A field as the title and the cells of a column suggest it. */
export interface GuessedField {
  readonly label: string
  readonly kind: KindName
  readonly required: boolean
  /** Values of a choice. */
  readonly options: readonly string[]
}

const MAX_LABEL = 60
const LONG_FROM = 60
const MAX_OPTIONS = 8
/** Cells that a choice is known by: fewer say nothing. */
const MIN_CELLS = 4

const PHONE = /^(?:1\d{10}|0\d{2,3}-?\d{7,8})$/
const EMAIL = /^\S+@\S+\.\S+$/
const URL = /^https?:\/\//i
const DOMAIN = /^(?:https?:\/\/)?[\w-]+(?:\.[\w-]+)+(?:\/\S*)?$/i
const NUMBER = /^-?[\d,]+(?:\.\d+)?$/
const YES_NO = /^(?:是|否|有|无|Y|N|yes|no|true|false)$/i
const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2} (?!00:00:00)/

/** What a title alone says, where the cells do not speak against it. */
const TITLES: readonly (readonly [RegExp, KindName])[] = [
  [/手机|电话|联系方式/, 'phone'],
  [/邮箱|邮件|e-?mail/i, 'email'],
  [/网址|网站|链接/, 'url'],
  [/时间$/, 'moment'],
  [/日期|日$/, 'day'],
  [/金额|单价|价格|报价|费用|成本|预算/, 'money'],
  [/率|占比|百分比/, 'percent'],
  [/^是否/, 'flag'],
  [/数量|人数|次数|台数|件数/, 'integer'],
  [/备注|说明|描述|内容|原因|意见/, 'long-text'],
  [/照片|图片/, 'pictures'],
  [/附件|文件/, 'files'],
]

/**
 * Fields for the columns of a sheet: by what stands in the cells, and where that says nothing by the title. A title that ends in `*`, as
 * templates write it, is required; a column without a title is left out.
 */
export function guessFields(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): readonly GuessedField[] {
  const seen = new Set<string>()
  return titles.flatMap((written, at): GuessedField[] => {
    const label = written
      .replace(/[*＊\s]+$/, '')
      .trim()
      .slice(0, MAX_LABEL)
    if (label === '' || seen.has(label)) return []
    seen.add(label)
    const cells = rows.map((row) => (row[at] ?? '').trim()).filter((cell) => cell !== '')
    const kind = kindOfColumn(label, cells)
    return [
      {
        label,
        kind,
        required: /[*＊]\s*$/.test(written),
        options: kind === 'choice' ? [...new Set(cells)] : [],
      },
    ]
  })
}

function kindOfColumn(label: string, cells: readonly string[]): KindName {
  const byTitle = TITLES.find(([pattern]) => pattern.test(label))?.[1]
  if (cells.length === 0) return byTitle ?? 'text'
  const all = (test: (cell: string) => boolean): boolean => cells.every(test)
  if (all((cell) => PHONE.test(cell))) return 'phone'
  if (all((cell) => EMAIL.test(cell))) return 'email'
  if (all((cell) => (byTitle === 'url' ? DOMAIN : URL).test(cell))) return 'url'
  if (all((cell) => YES_NO.test(cell))) return 'flag'
  if (all((cell) => /^-?\d+(?:\.\d+)?%$/.test(cell))) return 'percent'
  const isDated = byTitle === 'day' || byTitle === 'moment' || !all((cell) => NUMBER.test(cell))
  if (isDated && all((cell) => DAY.test(writtenDate(cell, true))))
    return cells.some((cell) => MOMENT.test(writtenDate(cell, false))) ? 'moment' : 'day'
  if (all((cell) => NUMBER.test(cell))) return numberKind(byTitle, cells)
  if (cells.some((cell) => cell.length > LONG_FROM || cell.includes('\n'))) return 'long-text'
  const different = new Set(cells).size
  const isChoice = cells.length >= MIN_CELLS && different <= MAX_OPTIONS && different * 2 <= cells.length
  if (isChoice) return 'choice'
  return byTitle === 'long-text' ? 'long-text' : 'text'
}

const MIN_STATES = 2

/**
 * What the records of a sheet go through: the values of the column of that title, in the order in which they stand there.
 * @returns null without such a column, or where what stands in it is no few states
 */
export function guessStates(
  title: string,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] | null {
  const at = titles.findIndex((one) => one.replace(/[*＊\s]+$/, '').trim() === title)
  if (at === -1) return null
  const states = [...new Set(rows.map((row) => (row[at] ?? '').trim()).filter((cell) => cell !== ''))]
  return states.length >= MIN_STATES && states.length <= MAX_OPTIONS ? states : null
}

/** Digits alone are also numbers of things: what begins with 0 or is long is a text. */
function numberKind(byTitle: KindName | undefined, cells: readonly string[]): KindName {
  if (cells.some((cell) => /^0\d/.test(cell) || cell.replace(/\D/g, '').length > 12)) return 'text'
  if (byTitle === 'money' || byTitle === 'percent') return byTitle
  return cells.every((cell) => !cell.includes('.')) ? 'integer' : 'number'
}
