import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ScriptReport } from '../../../runtime/core/ports.ts'
import { createHost } from '../../../runtime/sandbox/host.ts'
import {
  type Done,
  type FromWorker,
  OPENING,
  type OpenEndpoint,
  type ToWorker,
} from '../../../runtime/sandbox/protocol.ts'
import { openSession } from '../../../runtime/sandbox/session.ts'
import { emptyPage } from '../../support/script-page.ts'

describe('a session whose engine never starts', () => {
  it.each<[string, OpenEndpoint]>([
    [
      'because the engine fails in the worker',
      (onMessage) => ({ send: () => setTimeout(() => onMessage({ type: 'broken' })), terminate() {} }),
    ],
    [
      'because the document cannot be read there',
      (onMessage) => {
        const host = createHost({
          openVms: () => Promise.reject(new Error('no engine')),
          parse: () => {
            throw new Error('no page')
          },
          send: (message: FromWorker) => setTimeout(() => onMessage(message)),
        })
        return { send: host, terminate() {} }
      },
    ],
  ])('answers every call %s, and reports that scripts are unavailable', async (_, endpoint) => {
    const reports: ScriptReport[] = []
    const session = openSession(
      emptyPage((report) => reports.push(report)),
      endpoint,
    )

    const answer = await session.ask({ hook: 'onValidate', key: 'a', args: [] })
    session.post(1, [], [{ hook: 'onChange', key: 'a', args: [] }])
    await session.settled()

    expect(answer).toMatchObject({ ok: false, error: { code: 'SCRIPT_BUDGET' } })
    expect(reports).toEqual([
      {
        hook: 'functions',
        key: '',
        code: 'SCRIPT_STOPPED',
        message: 'the script engine does not start',
        stopped: true,
      },
    ])
  })
})

it('does not restart a worker forever that the functions of the page end each time', async () => {
  const reports: ScriptReport[] = []
  const session = openSession(
    emptyPage((report) => reports.push(report)),
    (onMessage, onFailure) => ({
      send: () =>
        setTimeout(() => {
          onMessage({ type: 'began', job: OPENING })
          onFailure('out of memory')
        }),
      terminate() {},
    }),
  )

  expect(await session.ask({ hook: 'onValidate', key: 'a', args: [] })).toMatchObject({ ok: false })
  expect(new Set(reports.map(({ code }) => code))).toEqual(new Set(['SCRIPT_MEMORY', 'SCRIPT_STOPPED']))
  expect(reports.at(-1)).toMatchObject({ message: 'the script engine does not start', stopped: true })
})

it('settles after the hooks behind a lost question have run in the next worker', async () => {
  const ran: string[] = []
  let workers = 0
  const session = openSession(emptyPage(), (onMessage, onFailure) => {
    workers += 1
    const isFirst = workers === 1
    return {
      send: (messages) =>
        setTimeout(() => {
          for (const one of messages) {
            if (one.type === 'open') onMessage({ type: 'ended', job: OPENING, done: [] })
            if (one.type === 'ask') onMessage({ type: 'ended', job: one.job, done: [] }) // its promise is pending
            if (one.type !== 'fire') continue
            if (isFirst) return onFailure('out of memory')
            ran.push(one.call.key)
            onMessage({ type: 'ended', job: one.job, done: [] })
          }
        }),
      terminate() {},
    }
  })

  const answer = session.ask({ hook: 'onValidate', key: 'a', args: [] })
  session.post(1, [], [{ hook: 'onChange', key: 'b', args: [] }])
  await session.settled()

  expect(ran).toEqual(['b'])
  expect(await answer).toMatchObject({ ok: false, error: { code: 'SCRIPT_BUDGET' } })
})

describe('a session whose worker cannot be loaded', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('reports it once, fails pending calls, and runs the queued hooks when the worker starts', async () => {
    const reports: ScriptReport[] = []
    let isOnline = false
    let starts = 0
    const got: ToWorker[] = []
    const session = openSession(
      emptyPage((report) => reports.push(report)),
      (onMessage, onFailure) => {
        starts += 1
        if (!isOnline) setTimeout(() => onFailure('404'))
        return {
          send(messages) {
            if (!isOnline) return
            got.push(...messages)
            for (const one of messages) {
              const job = one.type === 'open' ? OPENING : 'job' in one ? one.job : null
              if (job === null) continue
              const done: Done[] =
                one.type === 'ask' ? [{ type: 'answer', ask: job, outcome: { ok: true, value: 'fine' } }] : []
              setTimeout(() => onMessage({ type: 'ended', job, done }))
            }
          },
          terminate() {},
        }
      },
    )
    session.post(1, [], [{ hook: 'onChange', key: 'a', args: [] }])
    const answer = session.ask({ hook: 'onValidate', key: 'a', args: [] })
    let isSettled = false
    void session.settled().then(() => {
      isSettled = true
    })
    await vi.advanceTimersByTimeAsync(1_000)
    expect([reports, isSettled]).toEqual([[], false]) // it is tried again before anybody is told

    await vi.advanceTimersByTimeAsync(30_000)
    session.post(2, [], [{ hook: 'onChange', key: 'b', args: [] }])
    const late = await session.ask({ hook: 'onValidate', key: 'a', args: [] })
    const absent = { ok: false, error: { code: 'SCRIPT_UNAVAILABLE' } }
    expect([await answer, late]).toMatchObject([absent, absent])
    expect(reports).toMatchObject([{ code: 'SCRIPT_UNAVAILABLE', stopped: false }])
    expect(isSettled).toBe(true)
    expect(starts).toBeLessThan(12)

    isOnline = true
    await vi.advanceTimersByTimeAsync(6_000)
    expect(got.flatMap((one) => (one.type === 'fire' ? [one.call.key] : [one.type]))).toEqual([
      'open',
      'a',
      'b',
    ])
    const last = session.ask({ hook: 'onValidate', key: 'a', args: [] })
    await vi.advanceTimersByTimeAsync(10)
    expect(await last).toEqual({ ok: true, value: 'fine' })
  })
})
