import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import type { NewCompany } from './new-administrator.ts'

/** Input and output of the questions. */
export interface Terminal {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

const QUESTIONS = {
  tenant: 'Name of the company (tenant)',
  account: 'Account of its administrator',
  name: "The administrator's name",
  mobile: "The administrator's mobile number",
} as const

type QuestionKey = keyof typeof QUESTIONS

/**
 * Reads the options and, on a terminal, asks for missing ones.
 *
 * @throws Error with a message for an unknown option, or for a missing one without a terminal
 */
export async function readAnswers(args: readonly string[], terminal: Terminal): Promise<NewCompany> {
  const option = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      tenant: option,
      account: option,
      name: option,
      mobile: option,
      'password-stdin': { type: 'boolean' },
    },
  })
  const fromInput = values['password-stdin'] === true
  const missing = (Object.keys(QUESTIONS) as QuestionKey[]).filter((key) => values[key] === undefined)
  const canAsk = terminal.input.isTTY === true && !fromInput
  if (missing.length > 0 && !canAsk)
    throw new Error(`missing: ${missing.map((key) => `--${key}`).join(', ')}`)
  const given: Partial<Record<QuestionKey, string>> = values
  const answers: Record<QuestionKey, string> = { tenant: '', account: '', name: '', mobile: '', ...given }
  for (const key of missing) answers[key] = await ask(`${QUESTIONS[key]}: `, terminal)
  const password = fromInput
    ? firstLine(await readAll(terminal.input))
    : canAsk
      ? (await ask('Password (empty: one is made): ', terminal, true)) || null
      : null
  return { ...answers, password }
}

function firstLine(input: string): string {
  return input.split(/\r?\n/)[0] ?? ''
}

/** Asks for one line; a secret is not echoed. */
function ask(question: string, { input, output }: Terminal, isSecret = false): Promise<string> {
  output.write(question)
  const silent = new Writable({ write: (_part, _encoding, done) => done() })
  const lines = createInterface({ input, output: isSecret ? silent : output, terminal: true })
  return new Promise((done, fail) => {
    lines.once('line', (line) => {
      lines.close()
      if (isSecret) output.write('\n')
      done(line.trim())
    })
    lines.once('SIGINT', () => fail(new Error('nothing was made')))
  })
}
