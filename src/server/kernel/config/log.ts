import { type DestinationStream, destination, type Logger, pino } from 'pino'
import { loggedError } from '../text/logged-error.ts'

/**
 * JSON lines on standard output. Headers, bodies and query strings are never logged; values of known secret names are removed, as are the values in
 * database errors.
 */
export function createLog(level: string, to: DestinationStream = destination({ sync: false })): Logger {
  return pino(
    {
      level,
      base: null,
      serializers: { err: loggedError },
      redact: {
        paths: [
          'token',
          'password',
          'secret',
          'authorization',
          '*.token',
          '*.password',
          '*.secret',
          '*.authorization',
        ],
        censor: '[secret]',
      },
    },
    to,
  )
}
