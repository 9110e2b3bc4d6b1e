import { describe, expect, it } from 'vitest'
import { type LiveOptions, listenToChanges } from '../../../src/app/pages/live.ts'
import { fakeClock } from '../../support/fake-clock.ts'

describe('page changes from the live stream', () => {
  it('are reported with their path and the errors of their file', () => {
    const app = aStream()
    const error = { code: 'JSON_INVALID', at: '', message: 'm', hint: 'h', file: 'f', severity: 'error' }

    app.wire().onData('{"path":"/a","etag":"1"}')
    app.wire().onData(JSON.stringify({ path: '/b', problems: [error, { ...error, severity: 'warning' }, 7] }))

    expect(app.changes).toEqual([
      ['/a', []],
      ['/b', [error]],
    ])
  })

  it.each(['', 'null', '[]', '{"path":1}', '{'])('report nothing for %j', (data) => {
    const app = aStream()

    app.wire().onData(data)

    expect(app.changes).toEqual([])
  })
})

describe('a lost stream', () => {
  it('counts as disconnected until it is open again', async () => {
    const app = aStream()
    const since: unknown[] = [app.live.heardSince()]

    app.wire().onOpen()
    since.push(app.live.heardSince())
    app.wire().onEnd()
    since.push(app.live.heardSince())
    await app.clock.pass(500)
    app.wire().onOpen()
    since.push(app.live.heardSince())
    app.live.restart()
    since.push(app.live.heardSince())

    const start = since[1]
    expect(since).toEqual([null, expect.any(Number), null, Number(start) + 500, null])
  })

  it('reconnects with growing delays, and reports the gap once it is open', async () => {
    const app = aStream()
    const opened: number[] = []

    for (const wait of [500, 1_000, 2_000]) {
      app.wire().onEnd()
      await app.clock.pass(wait - 1)
      opened.push(app.opened())
      await app.clock.pass(1)
      opened.push(app.opened())
    }
    app.wire().onOpen()

    expect(opened).toEqual([1, 2, 2, 3, 3, 4])
    expect(app.gaps()).toBe(1)
  })

  it('starts again with the short delay after a successful reconnection', async () => {
    const app = aStream()
    app.wire().onEnd()
    await app.clock.pass(500)
    app.wire().onOpen()

    app.wire().onEnd()
    await app.clock.pass(500)

    expect(app.opened()).toBe(3)
  })

  it('reports changed dictionaries, and ignores unreadable messages', () => {
    const app = aStream()

    for (const data of ['{"dict":true}', '{"dict":false}', '[]', 'no json', '7']) app.wire().onData(data)

    expect(app.changes).toEqual(['dict'])
  })

  it('stays closed after stop', async () => {
    const app = aStream()
    app.wire().onEnd()

    app.live.stop()
    await app.clock.pass(60_000)

    expect(app.opened()).toBe(1)
  })
})

function aStream() {
  const clock = fakeClock()
  const wires: Parameters<LiveOptions['open']>[0][] = []
  const changes: unknown[] = []
  let gaps = 0
  const live = listenToChanges({
    clock,
    open: (handlers) => {
      wires.push(handlers)
      return { close: () => {} }
    },
    onChange: (path, problems) => changes.push([path, problems]),
    onDict: () => changes.push('dict'),
    onOpen: () => changes.push('open'),
    onGap: () => {
      gaps += 1
    },
  })
  const wire = () => {
    const last = wires.at(-1)
    if (!last) throw new Error('no stream was opened')
    return last
  }
  return { live, clock, changes, wire, opened: () => wires.length, gaps: () => gaps }
}
