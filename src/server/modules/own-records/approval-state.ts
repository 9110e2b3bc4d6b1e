import type { MergedModule } from '../../../model/merge-module.ts'
import type { StoredRecord } from './record.ts'

/** Where a record stands, as dictionaries and pages of the product number it. */
export const APPROVAL = { draft: 0, running: 1, approved: 2, rejected: 3, withdrawn: 4 } as const

/** True while nobody decides on a record and nobody has agreed to it: it can be written and submitted. */
export const isOpen = ({ approval_status }: Pick<StoredRecord, 'approval_status'>): boolean =>
  approval_status !== APPROVAL.running && approval_status !== APPROVAL.approved

/** Agreed to, where somebody has to: what follows from a record may follow. */
export const isSettled = (
  { approval }: Pick<MergedModule, 'approval'>,
  { approval_status }: Pick<StoredRecord, 'approval_status'>,
): boolean => approval === undefined || approval_status === APPROVAL.approved

/** Whether these fields of a record may be written now: all of an open one, those that its module names of one that was submitted. */
export function isWritable(
  { approval }: Pick<MergedModule, 'approval'>,
  found: Pick<StoredRecord, 'approval_status'>,
  fields: readonly string[],
): boolean {
  if (approval === undefined || isOpen(found)) return true
  return fields.every((name) => approval.open?.includes(name) === true)
}
