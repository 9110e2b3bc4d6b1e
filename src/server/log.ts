import { type DestinationStream, destination, type Logger, pino } from 'pino'

/** JSON lines on standard output. Headers, bodies and query strings are never logged; known secret names are cut out. */
export function createLog(level: string, to: DestinationStream = destination({ sync: false })): Logger {
  return pino(
    {
      level,
      base: null,
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
