import { openServer } from './http/server.ts'
import { readArguments } from './kernel/config/command.ts'
import { readConfig } from './kernel/config/config.ts'
import { errorText } from './kernel/text/error-text.ts'

/** Calls under way get this long to finish. */
const STOP_MS = 10_000

const USAGE =
  'usage: node dist/server/main.js: starts the server, whose settings are environment variables (DATA_DIR, PORT, …: src/OPERATIONS.md)'

readArguments(USAGE, {})
try {
  const server = await openServer(readConfig(process.env))
  const end = (): void => {
    setTimeout(() => process.exit(1), STOP_MS).unref()
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  process.stdout.write(`${server.about}\nready ${server.url}\n`)
} catch (error) {
  process.stderr.write(`cannot start: ${errorText(error)}\n`)
  process.exit(1)
}
