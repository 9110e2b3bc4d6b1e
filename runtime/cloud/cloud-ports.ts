import type { JsonObject } from '../core/json.ts'
import type { Clock, Feedback, Http, Random, Storage, Text } from '../core/ports.ts'

/** Writes one line for developers; the levels are those of the console. */
export type Log = (level: 'error' | 'warn' | 'info' | 'log' | 'debug', message: string) => void

/** Everything outside that the cloud client uses. */
export interface CloudPorts {
  readonly http: Http
  readonly clock: Clock
  readonly random: Random
  readonly storage: Storage
  readonly feedback: Feedback
  readonly text: Text
  readonly log: Log
}

/** The shell's information about application and device (PROTOCOL 1.3). */
export interface ClientFacts {
  /** Read once; only the names of PROTOCOL 1.3 are sent. */
  readonly system: () => JsonObject
  /** Read at each call. */
  readonly locale: () => string
}
