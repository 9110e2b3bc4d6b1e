import { errorText } from '../text/error-text.ts'

/** Runs an operator's command: prints its output or its error, and ends the process. */
export async function runCommand(name: string, run: () => Promise<string>): Promise<never> {
  try {
    process.stdout.write(`${await run()}\n`)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${name}: ${errorText(error)}\n`)
    process.exit(1)
  }
}
