import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../runtime/core/hooks/script-limits.ts'
import type { ScriptReport } from '../../../runtime/core/ports.ts'
import { createHost } from '../../../runtime/sandbox/host.ts'
import type { FromWorker, OpenEndpoint } from '../../../runtime/sandbox/protocol.ts'
import { openSession } from '../../../runtime/sandbox/session.ts'

describe('a session whose engine never starts', () => {
  it.each<[string, OpenEndpoint]>([
    [
      'because the worker dies at once',
      (_, onFailure) => {
        setTimeout(() => onFailure('404'))
        return { send() {}, terminate() {} }
      },
    ],
    [
      'because the document cannot be read there',
      (onMessage) => {
        const host = createHost({
          load: () => Promise.reject(new Error('no engine')),
          parse: () => {
            throw new Error('no page')
          },
          send: (message: FromWorker) => setTimeout(() => onMessage(message)),
        })
        return { send: host, terminate() {} }
      },
    ],
  ])('answers every question %s, and reports that there are no scripts', async (_, endpoint) => {
    const reports: ScriptReport[] = []
    const session = openSession(
      {
        document: {},
        limits: DEFAULT_LIMITS,
        snapshot: () => ({ turn: 0, writes: [] }),
        onBatch() {},
        onReport: (report) => reports.push(report),
        onRequest: async () => null,
      },
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
