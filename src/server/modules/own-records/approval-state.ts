import type { MergedModule } from '../../../model/merge-module.ts'
import type { StoredRecord } from './record.ts'

/** Approval states of a record, with the numbers that dictionaries and pages of the product use. */
export const APPROVAL = { draft: 0, running: 1, approved: 2, rejected: 3, withdrawn: 4 } as const

/** True if no approval is running or approved: the record can be edited and submitted. */
export const isOpen = ({ approval_status }: Pick<StoredRecord, 'approval_status'>): boolean =>
  approval_status !== APPROVAL.running && approval_status !== APPROVAL.approved

/** Approved, or without need for approval: consequences of the record may apply. */
export const isSettled = (
  { approval }: Pick<MergedModule, 'approval'>,
  { approval_status }: Pick<StoredRecord, 'approval_status'>,
): boolean => approval === undefined || approval_status === APPROVAL.approved

/**
 * Whether these fields may be written now: all fields of an open record; after submission, those that its module lists, and the status of an
 * approved record, whose moves waited for the approval.
 */
export function isWritable(
  module: Pick<MergedModule, 'approval' | 'statuses'>,
  found: Pick<StoredRecord, 'approval_status'>,
  fields: readonly string[],
): boolean {
  const { approval, statuses } = module
  if (approval === undefined || isOpen(found)) return true
  const moving = isSettled(module, found) ? statuses?.field : undefined
  return fields.every((name) => name === moving || approval.open?.includes(name) === true)
}
