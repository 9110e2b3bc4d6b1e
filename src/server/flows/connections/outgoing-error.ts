import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Why an outgoing call failed; each reason has its text under `conn.<why>`. */
export type OutgoingErrorReason =
  | 'inner'
  | 'plain'
  | 'unreachable'
  | 'certificate'
  | 'timeout'
  | 'large'
  | 'type'
  | 'unreadable'
  | 'redirect'
  | 'status'
  | 'sealed'

/** An outgoing call without an answer to pass on. */
export class OutgoingError extends Error {
  readonly reason: OutgoingErrorReason
  /** The status of the other side, if it answered. */
  readonly status: number | null
  constructor(reason: OutgoingErrorReason, status: number | null = null) {
    super(`the outside: ${reason}`)
    this.name = 'OutgoingError'
    this.reason = reason
    this.status = status
  }
}

/** The error as a message for the caller. @param label  the connection's name on screen */
export const outgoingErrorText = ({ reason, status }: OutgoingError, label: string): string =>
  text(`conn.${reason}`, { label, status: status ?? 0 })

/** Refuses the call with the message of its error. */
export function refuseOutgoing(fault: OutgoingError, label: string): never {
  refuse(422, 'OUTSIDE', outgoingErrorText(fault, label), {
    detail: fault.reason,
    data: { why: fault.reason, status: fault.status },
  })
}
