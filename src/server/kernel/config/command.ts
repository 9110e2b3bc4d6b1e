import { errorText } from '../text/error-text.ts'

/** Prints the usage if it is asked for, and ends the process. */
export function answerHelp(usage: string): void {
  if (!process.argv.slice(2).includes('--help')) return
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}

/** Runs an operator's command: prints its output or its error, and ends the process. `--help` prints the usage and runs nothing. */
export async function runCommand(name: string, usage: string, run: () => Promise<string>): Promise<never> {
  answerHelp(usage)
  try {
    process.stdout.write(`${await run()}\n`)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${name}: ${errorText(error)}\n`)
    process.exit(1)
  }
}
