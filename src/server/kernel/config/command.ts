import { type ParseArgsConfig, parseArgs } from 'node:util'
import { errorText } from '../text/error-text.ts'

/** Exit code of a command that was called wrongly and has done nothing. */
const WRONG_USE = 2

type Arguments<T extends ParseArgsConfig> = ReturnType<typeof parseArgs<T>>

/** Prints the usage if it is asked for, and ends the process. */
export function answerHelp(usage: string): void {
  if (!process.argv.slice(2).includes('--help')) return
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}

/** Prints the usage, after what is wrong if that is known, and ends the process with the exit code for it. */
export function refuseUse(usage: string, reason?: string): never {
  process.stderr.write(reason === undefined ? `${usage}\n` : `${reason}\n${usage}\n`)
  process.exit(WRONG_USE)
}

/**
 * The arguments of this process. `--help`, an unknown option, a word too many and what `isRight` rejects are answered with the usage, and end the
 * process.
 */
export function readArguments<T extends ParseArgsConfig>(
  usage: string,
  config: T,
  isRight: (given: Arguments<T>) => boolean = () => true,
): Arguments<T> {
  answerHelp(usage)
  const given = parsed(config)
  if (typeof given === 'string') refuseUse(usage, given)
  if (!isRight(given)) refuseUse(usage)
  return given
}

/** @returns what is wrong, if the arguments do not fit */
function parsed<T extends ParseArgsConfig>(config: T): Arguments<T> | string {
  try {
    return parseArgs(config)
  } catch (error) {
    if (isUnknownArgument(error)) return error.message
    throw error
  }
}

const isUnknownArgument = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

/** Runs an operator's command: prints its output or its error, and ends the process. Wrong use is an unknown argument, or an error that is the usage. */
export async function runCommand(name: string, usage: string, run: () => Promise<string>): Promise<never> {
  answerHelp(usage)
  try {
    process.stdout.write(`${await run()}\n`)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${name}: ${errorText(error)}\n`)
    if (isUnknownArgument(error)) refuseUse(usage)
    process.exit(error instanceof Error && error.message === usage ? WRONG_USE : 1)
  }
}
