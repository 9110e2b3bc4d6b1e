import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { signIn } from './drive.ts'
import { loadWatch } from './load-watch.ts'

export interface MixedOptions {
  readonly url: string
  /** Calls per second, one rate after the other. */
  readonly rates: readonly number[]
  readonly seconds: number
  readonly print: (line: string) => void
}

interface Ended {
  readonly status: number
  readonly ms: number
  readonly isWrite: boolean
}

interface Call {
  readonly path: string
  readonly body?: object
  readonly isWrite?: boolean
}

/** Warm-up calls. */
const WARM = 200
/** Of ten calls seven are lists, two are new follow-ups, and one is statistics. */
const TENTH = 10

/**
 * Sends the mix of a working day at fixed rates, whether or not earlier calls have been answered, and prints answers, latencies and refusals: the
 * capacity of a server, and its behaviour under overload.
 */
export async function mixed({ url, rates, seconds, print }: MixedOptions): Promise<void> {
  const { ask, token } = await signIn(url, 'demo')
  const { data } = await ask({ path: '/mini/customer/list', body: { tab: 'mine', limit: 20 } })
  const ids: readonly string[] = data.list.map(({ id }: { id: string }) => id)
  const agent = new Agent({ keepAlive: true })
  const send = senderTo(url, token, agent)
  for (let n = 0; n < WARM; n += 1) await send(callOf(n, ids))
  for (const rate of rates) {
    const load = loadWatch()
    const { ended, tookSeconds } = await atRate(rate, seconds, (n) => send(callOf(n, ids)))
    print(`${String(rate).padStart(5)}/s asked  ${summaryOf(ended, tookSeconds)}  ${load()}`)
  }
  agent.destroy()
}

function callOf(n: number, ids: readonly string[]): Call {
  const part = n % TENTH
  if (part < 7) return { path: '/mini/customer/list', body: { limit: 20 } }
  if (part === 9) return { path: '/mini/home/overview' }
  return {
    path: '/mini/follow/create',
    isWrite: true,
    body: {
      target_type: 'customer',
      target_id: ids[n % ids.length],
      method: 'call',
      content: `电话沟通了需求，约好下周再谈 ${n}`,
      clientToken: randomUUID(),
    },
  }
}

/** Uses persistent connections and reads only the end of an answer, because the client shares the CPUs with the server. */
const senderTo =
  (url: string, token: string, agent: Agent) =>
  ({ path, body, isWrite = false }: Call): Promise<Ended> =>
    new Promise((done) => {
      const begun = performance.now()
      const end = (status: number): void => done({ status, ms: performance.now() - begun, isWrite })
      const call = request(
        url + path,
        {
          agent,
          method: body === undefined ? 'GET' : 'POST',
          headers: { authorization: token, 'content-type': 'application/json' },
        },
        (answer) => {
          answer.resume()
          answer.on('end', () => end(answer.statusCode ?? 0))
        },
      )
      call.on('error', () => end(0))
      call.end(body === undefined ? undefined : JSON.stringify(body))
    })

async function atRate(
  perSecond: number,
  seconds: number,
  send: (n: number) => Promise<Ended>,
): Promise<{ readonly ended: readonly Ended[]; readonly tookSeconds: number }> {
  const begun = performance.now()
  const under: Promise<Ended>[] = []
  for (let isOver = false; !isOver; ) {
    const past = (performance.now() - begun) / 1000
    isOver = past >= seconds
    while (under.length < Math.min(past, seconds) * perSecond) under.push(send(under.length))
    await new Promise((done) => setTimeout(done, 4))
  }
  const ended = await Promise.all(under)
  return { ended, tookSeconds: (performance.now() - begun) / 1000 }
}

function summaryOf(ended: readonly Ended[], seconds: number): string {
  const at = (all: readonly Ended[], part: number): string => {
    const sorted = all.map(({ ms }) => ms).sort((a, b) => a - b)
    return `${(sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(0)} ms`
  }
  const answered = ended.filter(({ status }) => status === 200)
  const away = ended.filter(({ status }) => status === 503)
  const failed = ended.length - answered.length - away.length
  return [
    `answered ${(answered.length / seconds).toFixed(0)}/s`,
    `p50 ${at(answered, 0.5)} p99 ${at(answered, 0.99)}`,
    `turned away ${away.length} (${away.filter(({ isWrite }) => isWrite).length} writes), p99 ${at(away, 0.99)}`,
    ...(failed > 0 ? [`lost ${failed}`] : []),
  ].join(', ')
}
