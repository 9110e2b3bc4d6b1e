import type { JsonObject } from '../core/json.ts'
import type { Clock, Feedback, Http, Random, Storage, Text } from '../core/ports.ts'

/** Writes one line for developers; level names are the console's. */
export type Log = (level: 'error' | 'warn' | 'info' | 'log' | 'debug', message: string) => void

/** The outside world of the cloud room. */
export interface CloudPorts {
  readonly http: Http
  readonly clock: Clock
  readonly random: Random
  readonly storage: Storage
  readonly feedback: Feedback
  readonly text: Text
  readonly log: Log
}

/** What the shell knows about the application and the device (PROTOCOL 1.3). */
export interface ClientFacts {
  /** Read once; only the names of PROTOCOL 1.3 are sent on. */
  readonly system: () => JsonObject
  /** Read at each call. */
  readonly locale: () => string
}
