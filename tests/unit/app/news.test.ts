import { describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { listenToServerEvents } from '../../../src/app/messages/server-events.ts'
import type { StreamHandlers } from '../../../src/app/net/reconnecting-stream.ts'
import { fakeClock } from '../../support/fake-clock.ts'

describe('notifications for the signed-in user', () => {
  it('arrive over the stream: the event and the unread counts', () => {
    const app = listening()

    app.wire().onData('{"kind":"unread","unread":{"total":2}}')
    app.wire().onData('{"kind":"message","message":{"id":"m1"},"unread":{"total":3}}')
    app.wire().onData('{"kind":"todo"}')
    for (const noise of ['', 'null', '[]', '{"kind":1}', '{']) app.wire().onData(noise)

    expect(app.unread).toEqual([{ total: 2 }, { total: 3 }])
    expect(app.kinds).toEqual(['message', 'todo'])
  })

  it('are polled while the stream is down, and reported once if the count changed', async () => {
    const app = listening()
    app.answers.push({ total: 1 }, { total: 1 }, undefined, { total: 4 })

    app.wire().onEnd()
    for (let i = 0; i < 4; i += 1) {
      await app.clock.pass(30_000)
      app.wire().onEnd()
    }

    expect(app.unread).toEqual([{ total: 1 }, { total: 4 }])
    expect(app.kinds).toEqual(['poll', 'poll'])
  })

  it('are polled every half minute, however often the stream fails to reconnect', async () => {
    const app = listening()
    app.answers.push({ total: 1 }, { total: 2 })

    for (let second = 0; second < 65; second += 1) {
      app.wire().onEnd()
      await app.clock.pass(1_000)
    }

    expect(app.unread).toEqual([{ total: 1 }, { total: 2 }])
  })

  it('are polled while a stream neither opens nor fails', async () => {
    const app = listening()
    app.answers.push({ total: 7 })

    await app.clock.pass(30_000)

    expect(app.unread).toEqual([{ total: 7 }])
  })

  it('are no longer polled once the stream is open, but are read once because events may be missing', async () => {
    const app = listening()
    app.answers.push({ total: 1 })
    app.wire().onEnd()
    await app.clock.pass(500)

    app.wire().onOpen()
    await app.clock.pass(120_000)

    expect(app.unread).toEqual([])
    expect(app.kinds).toEqual(['poll'])
  })

  it('stop with the session: nothing is requested until somebody signs in', async () => {
    const app = listening()
    app.answers.push({ total: 1 })

    app.wire().onData('{"kind":"signed-out"}')
    app.serverEvents.restart()
    await app.clock.pass(120_000)
    const asked = [app.opened(), app.closed(), app.unread, app.kinds]
    app.serverEvents.follow(null)
    app.serverEvents.follow('t:u1')

    expect(asked).toEqual([1, 1, [], []])
    expect(app.opened()).toBe(2)
  })

  it('stop when the user changes, and start again for the next user', () => {
    const app = listening()

    app.serverEvents.follow('t:u1')
    app.serverEvents.follow(null)
    app.serverEvents.follow('t:u2')

    expect(app.opened()).toBe(2)
    expect(app.closed()).toBe(1)
  })
})

function listening() {
  const clock = fakeClock()
  const wires: StreamHandlers[] = []
  const unread: Json[] = []
  const kinds: unknown[] = []
  const answers: (Json | undefined)[] = []
  let closed = 0
  const serverEvents = listenToServerEvents({
    clock,
    pollMs: 30_000,
    open: (handlers) => {
      wires.push(handlers)
      return {
        close: () => {
          closed += 1
        },
      }
    },
    poll: async () => answers.shift(),
    onUnread: (count) => unread.push(count),
    onNews: (event) => kinds.push(event.kind),
  })
  serverEvents.follow('t:u1')
  return {
    serverEvents,
    clock,
    unread,
    kinds,
    answers,
    wire: () => wires.at(-1) as StreamHandlers,
    opened: () => wires.length,
    closed: () => closed,
  }
}
