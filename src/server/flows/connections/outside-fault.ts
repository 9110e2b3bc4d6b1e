import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Why a call to the outside came to nothing; each has its sentence under `conn.<why>`. */
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

/** A call to the outside that gave no answer to pass on. */
export class OutsideFault extends Error {
  readonly why: OutsideWhy
  /** What the other side answered, when it did. */
  readonly status: number | null
  constructor(why: OutsideWhy, status: number | null = null) {
    super(`the outside: ${why}`)
    this.name = 'OutsideFault'
    this.why = why
    this.status = status
  }
}

/** The fault in the words of who called. @param label  what the connection is called on screen */
export const faultWords = ({ why, status }: OutsideFault, label: string): string =>
  text(`conn.${why}`, { label, status: status ?? 0 })

/** Ends a call with the sentence of its fault. */
export function refuseOutside(fault: OutsideFault, label: string): never {
  refuse(422, 'OUTSIDE', faultWords(fault, label), {
    detail: fault.why,
    data: { why: fault.why, status: fault.status },
  })
}
