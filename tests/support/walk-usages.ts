import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

/*
 * `tsx walk-usages.ts JSON`: calls each of the given commands in this process, one after another, and prints how each ended. One process, because a
 * process for each would load the same modules again. A command that does not end by itself counts as started, and ends the walk.
 */
export interface Called {
  readonly file: string
  readonly args: readonly string[]
}
export interface Answer {
  /** What ended the command: its exit code, an error, or nothing within the time. */
  readonly end: number | string
  readonly stdout: string
  readonly stderr: string
}

const MAX_MS = 60_000
const { stdout, stderr } = process
const print = stdout.write.bind(stdout)
const exit = process.exit

class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`)
  }
}

const answers: Answer[] = []
for (const [n, { file, args }] of (JSON.parse(process.argv[2] as string) as Called[]).entries())
  answers.push(await call(`${pathToFileURL(file)}?${n}`, file, args))
print(JSON.stringify(answers), () => exit(0))

async function call(address: string, file: string, args: readonly string[]): Promise<Answer> {
  const written = { stdout: '', stderr: '' }
  process.argv = [process.execPath, file, ...args]
  const note = (stream: keyof typeof written) => (text: unknown) => {
    written[stream] += String(text)
    return true
  }
  stdout.write = note('stdout')
  stderr.write = note('stderr')
  console.log = (text) => void note('stdout')(`${text}\n`)
  console.error = (text) => void note('stderr')(`${text}\n`)
  process.exit = (code) => {
    throw new Exit(Number(code ?? 0))
  }
  const ended = import(address).then(
    () => 'went through',
    (error) => (error instanceof Exit ? error.code : inspect(error)),
  )
  const end = await Promise.race([ended, new Promise<string>((done) => setTimeout(done, MAX_MS, 'started'))])
  const answer = { end, ...written }
  if (end === 'started') print(JSON.stringify([...answers, answer]), () => exit(0))
  return answer
}
