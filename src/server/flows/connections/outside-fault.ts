import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Why an outgoing call failed; each reason has its text under `conn.<why>`. */
export type OutsideWhy =
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
export class OutsideFault extends Error {
  readonly why: OutsideWhy
  /** The status of the other side, if it answered. */
  readonly status: number | null
  constructor(why: OutsideWhy, status: number | null = null) {
    super(`the outside: ${why}`)
    this.name = 'OutsideFault'
    this.why = why
    this.status = status
  }
}

/** The error as a message for the caller. @param label  the connection's name on screen */
export const faultWords = ({ why, status }: OutsideFault, label: string): string =>
  text(`conn.${why}`, { label, status: status ?? 0 })

/** Refuses the call with the message of its error. */
export function refuseOutside(fault: OutsideFault, label: string): never {
  refuse(422, 'OUTSIDE', faultWords(fault, label), {
    detail: fault.why,
    data: { why: fault.why, status: fault.status },
  })
}
