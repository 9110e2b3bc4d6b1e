import { describe, expect, it } from 'vitest'
import { type CallKind, createShedder } from '../../../src/server/kernel/security/shedding.ts'

/** A server that completes one call at a fixed interval, in steps of a millisecond. */
function aServer(msPerCall: number) {
  let at = 0
  const shedder = createShedder(() => at)
  const line: { kind: CallKind; whose: string; since: number }[] = []
  const waits: number[] = []
  let busyUntil = 0
  return {
    waits,
    ask(kind: CallKind, whose = 'one'): boolean {
      const isIn = shedder.begin(kind, whose)
      if (isIn) line.push({ kind, whose, since: at })
      return isIn
    },
    tick() {
      at += 1
      if (at < busyUntil || line.length === 0) return
      busyUntil = at + msPerCall
      const next = line.shift()
      if (next === undefined) return
      waits.push(at - next.since)
      shedder.end(next.kind, next.whose)
    },
  }
}

describe('a server that sheds load', () => {
  it.each([
    [2, 5],
    [10, 4],
    [25, 10],
  ])(
    'with %d ms a call and %d times its capacity completes nearly its capacity, and no call waits a second',
    (ms, times) => {
      const server = aServer(ms)
      for (let at = 0; at < 20_000; at++) {
        for (let one = 0; one < times; one++) if (at % ms === 0) server.ask('read')
        server.tick()
      }

      expect(server.waits.length).toBeGreaterThan((0.95 * 20_000) / (ms + 1))
      const late = server.waits.slice(-200)
      expect(Math.max(...late)).toBeLessThan(1_000)
    },
  )

  it('accepts writes while it refuses reads', () => {
    const server = aServer(10)
    let [reads, writes] = [0, 0]
    for (let at = 0; at < 10_000; at++) {
      if (at % 3 === 0 && !server.ask('read')) reads += 1
      if (at % 40 === 0 && !server.ask('write')) writes += 1
      server.tick()
    }

    expect(reads).toBeGreaterThan(1_000)
    expect(writes).toBe(0)
  })

  it('refuses the tenant with too many calls, and not the others', () => {
    const server = aServer(10)
    const away: Record<string, number> = { greedy: 0, small: 0, other: 0 }
    const ask = (whose: string) => {
      if (!server.ask('read', whose)) away[whose] = (away[whose] ?? 0) + 1
    }
    for (let at = 0; at < 20_000; at++) {
      if (at % 2 === 0) ask('greedy')
      if (at % 50 === 0) ask('small')
      if (at % 100 === 0) ask('other')
      server.tick()
    }

    expect(away.greedy).toBeGreaterThan(5_000)
    expect([away.small, away.other]).toEqual([0, 0])
    expect(Math.max(...server.waits.slice(-200))).toBeLessThan(1_000)
  })

  it('shares its capacity if several tenants have too many calls', () => {
    const server = aServer(10)
    const letIn: Record<string, number> = { one: 0, other: 0 }
    for (let at = 0; at < 20_000; at++) {
      for (let i = 0; i < 3; i++) if (server.ask('read', 'one')) letIn.one = (letIn.one ?? 0) + 1
      if (server.ask('read', 'other')) letIn.other = (letIn.other ?? 0) + 1
      server.tick()
    }

    expect((letIn.one ?? 0) / (letIn.other ?? 1)).toBeLessThan(1.5)
  })

  it('refuses no tenant for a few slow calls', () => {
    let at = 0
    const shedder = createShedder(() => at)
    const slow = Array.from({ length: 20 }, () => shedder.begin('read', 'one'))
    for (; at < 30_000; at += 10) {
      expect(shedder.begin('read', 'one')).toBe(true)
      shedder.end('read', 'one')
    }
    expect(slow).not.toContain(false)
  })

  it('recovers after the database was suspended', () => {
    const server = aServer(5)
    const refused = () => Array.from({ length: 100 }, () => server.ask('read')).filter((isIn) => !isIn).length
    refused()
    const stood = refused()
    for (let at = 0; at < 5_000; at++) server.tick()

    expect(stood).toBe(100)
    expect(server.ask('read')).toBe(true)
  })
})
