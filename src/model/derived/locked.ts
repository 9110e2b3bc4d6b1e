import { isObject, type JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { labelText } from '../labels.ts'
import type { MergedField, MergedModule } from '../merge-module.ts'
import type { DerivedWords } from './words.ts'

/** How the form of a record that cannot be changed now is drawn. */
export interface LockedForm {
  /** What it says at its top. Where fields stay open after the submission, it names them. */
  readonly notes: readonly JsonObject[]
  /** Options of a group that lock the fields in it; null if some of them stay open. */
  locking(fields: readonly Pick<Field, 'name'>[]): JsonObject | null
  /** The widget of a field, locked by itself. */
  withLock(widget: JsonObject, field: Pick<Field, 'name'>): JsonObject
  /** When something is left to save. */
  readonly savedOn: JsonObject
}

/**
 * A form whose record may be locked: nothing of it is written then but the fields that its module names (`open`), and the status of what is agreed
 * to.
 * @param fields  those that the form writes
 */
export function lockedForm(
  { approval, statuses }: MergedModule,
  fields: readonly MergedField[],
  words: DerivedWords,
): LockedForm {
  const isOpen = ({ name }: Pick<Field, 'name'>, isAgreed: boolean): boolean =>
    approval !== undefined && (name === statuses?.field ? isAgreed : approval.open?.includes(name) === true)
  const times = [
    { name: 'lockedWaiting', when: WAITING, isAgreed: false, withdraw: {} },
    { name: 'lockedAgreed', when: MOVES, isAgreed: true, withdraw: { withdraw: '' } },
  ]
    .map((time) => ({ ...time, open: fields.filter((field) => isOpen(field, time.isAgreed)) }))
    .filter(({ open }) => open.length > 0)
  const openTimes = (field: Pick<Field, 'name'>): readonly JsonObject[] =>
    times.filter(({ isAgreed }) => isOpen(field, isAgreed)).map(({ when }) => when)
  const usual = approval === undefined ? { state: '', withdraw: '' } : {}
  const otherwise = unless(times.map(({ when }) => when))
  return {
    notes: [
      note({ ...usual, ...(times.length === 0 ? {} : { when: otherwise }) }),
      ...times.map(({ name, when, open, withdraw }) => {
        const labels = open.map(({ label }) => labelText(label)).join('、')
        const fact = words.lockedBut.replace('{fields}', labels)
        return note({ name, when, fact, refused: '', ...withdraw })
      }),
    ],
    locking: (some) => (some.some((field) => openTimes(field).length > 0) ? null : both(lockedUnless([]))),
    withLock: (widget, field) => {
      const given = isObject(widget.options) ? widget.options : {}
      return { ...widget, options: { ...given, ...both(lockedUnless(openTimes(field)), given) } }
    },
    savedOn: { '!': lockedUnless(times.map(({ when }) => when)) },
  }
}

/** Disabled is what looks locked; without read-only, rows would keep their buttons. What a widget says itself of the two holds beside it. */
const both = (rule: JsonObject, { disabledOn, readonlyOn }: JsonObject = {}): JsonObject => ({
  disabledOn: disabledOn === undefined ? rule : { or: [disabledOn, rule] },
  readonlyOn: readonlyOn === undefined ? rule : { or: [readonlyOn, rule] },
})

const note = (given: JsonObject): JsonObject => ({ fragment: 'form/locked', with: given })

const unless = (rules: readonly JsonObject[]): JsonObject => ({ '!': { or: rules } })

/** True of a record that its reader cannot change now, apart from these times. */
const lockedUnless = (times: readonly JsonObject[]): JsonObject => ({
  and: [{ fragment: 'form/is-locked' }, ...(times.length === 0 ? [] : [unless(times)])],
})

const WAITING: JsonObject = { '==': [{ var: 'data.detail.record.approval_status' }, 1] }
/** Its user may write it, and it is agreed to. */
const MOVES: JsonObject = { in: ['move', { var: 'data.detail.actions' }] }
