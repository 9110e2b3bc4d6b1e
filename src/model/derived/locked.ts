import type { JsonObject } from '../../../runtime/core/json.ts'
import { labelText } from '../labels.ts'
import type { MergedField, MergedModule } from '../merge-module.ts'
import type { DerivedWords } from './words.ts'

/**
 * What a form says at its top if its record cannot be changed now. Where fields stay open after the submission (`open`, and the status of what
 * is agreed to), it names them.
 * @param fields  those that the form writes
 */
export function lockedNotes(
  { approval, statuses }: MergedModule,
  fields: readonly MergedField[],
  words: DerivedWords,
): readonly JsonObject[] {
  if (approval === undefined) return [note({ state: '', withdraw: '' })]
  const openNow = (isAgreed: boolean): string =>
    fields
      .filter(({ name }) => (name === statuses?.field ? isAgreed : approval.open?.includes(name) === true))
      .map(({ label }) => labelText(label))
      .join('、')
  const parts = [
    { name: 'lockedWaiting', open: openNow(false), when: WAITING, withdraw: {} },
    { name: 'lockedAgreed', open: openNow(true), when: MOVES, withdraw: { withdraw: '' } },
  ].filter(({ open }) => open !== '')
  return [
    note(parts.length === 0 ? {} : { when: { '!': { or: parts.map(({ when }) => when) } } }),
    ...parts.map(({ name, open, when, withdraw }) =>
      note({ name, when, fact: words.lockedBut.replace('{fields}', open), refused: '', ...withdraw }),
    ),
  ]
}

const note = (given: JsonObject): JsonObject => ({ fragment: 'form/locked', with: given })

const WAITING: JsonObject = { '==': [{ var: 'data.detail.record.approval_status' }, 1] }
/** Its user may write it, and it is agreed to. */
const MOVES: JsonObject = { in: ['move', { var: 'data.detail.actions' }] }
