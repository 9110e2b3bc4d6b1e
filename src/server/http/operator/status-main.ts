import { parseArgs } from 'node:util'
import type { RunEnd } from '../../flows/operator/run-job.ts'
import type { Status } from '../../flows/operator/status.ts'
import { runCommand } from '../../kernel/config/command.ts'
import type { Refusal } from './routes.ts'
import { runsSummary, statusSummary } from './summaries.ts'

const USAGE = 'usage: npm run status [-- --json] [--run JOB [--tenant CODE]] [--url URL]'

/** Timeout: the database may be slow, and a job may take long. */
const TIMEOUT_MS = 600_000

await runCommand('status', USAGE, async () => {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean' },
      run: { type: 'string' },
      tenant: { type: 'string' },
      url: { type: 'string' },
    },
  })
  const token = process.env.OPERATOR_TOKEN
  if (!token)
    throw new Error(
      'OPERATOR_TOKEN is not set: give the server and this command the same, 16 characters or more',
    )
  const base = values.url ?? `http://${process.env.HOST || '127.0.0.1'}:${process.env.PORT || 8080}`
  if (values.run !== undefined) {
    const query = new URLSearchParams({ job: values.run, tenant: values.tenant ?? '' })
    const ends = (await request(base, `/operator/run?${query}`, 'POST', token)) as readonly RunEnd[]
    const summary = runsSummary(values.run, ends)
    if (ends.some((one) => one.made === null)) throw new Error(summary)
    return summary
  }
  const status = (await request(base, '/operator/status', 'GET', token)) as Status
  const summary = values.json === true ? JSON.stringify(status, null, 2) : statusSummary(status)
  if (status.troubles.length === 0) return summary
  process.stdout.write(`${summary}\n`)
  throw new Error(`${status.troubles.length} to look at`)
})

async function request(base: string, path: string, method: 'GET' | 'POST', token: string): Promise<unknown> {
  const answer = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: Error) => {
    throw new Error(`no server answers at ${base} (${error.message}); PORT or --url names another`)
  })
  if (answer.status === 404) throw new Error(await refusalText(answer, base))
  if (!answer.ok) throw new Error(`${base} answers ${answer.status}`)
  return answer.json()
}

/** Only a caller with the token is told a reason. */
async function refusalText(answer: Response, base: string): Promise<string> {
  const isTold = answer.headers.get('content-type')?.startsWith('application/json') === true
  return isTold
    ? ((await answer.json()) as Refusal).message
    : `${base} has another OPERATOR_TOKEN, or was started without one`
}
