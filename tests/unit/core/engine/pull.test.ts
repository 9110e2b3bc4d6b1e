import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  nextPull,
  PULL_IDLE,
  PULL_RANGE,
  type Pull,
  type PullEvent,
} from '../../../../runtime/core/engine/pull.ts'

const after = (...events: readonly PullEvent[]): Pull => events.reduce(nextPull, PULL_IDLE)
const move = (by: number): PullEvent => ({ kind: 'move', by })
const release: PullEvent = { kind: 'release' }
const stop: PullEvent = { kind: 'stop' }
const rest: PullEvent = { kind: 'rest' }

describe('a pull-down refresh', () => {
  it.each([
    [[move(10)], 'pulling'],
    [[move(149)], 'pulling'],
    [[move(150)], 'reached'],
    [[move(200), move(100)], 'pulling'],
    [[move(100), move(-5)], 'idle'],
    [[move(100), release], 'aborting'],
    [[move(100), release, move(300)], 'aborting'],
    [[move(100), release, rest], 'idle'],
    [[move(150), release], 'refreshing'],
    [[move(150), release, rest], 'refreshing'],
    [[move(150), release, stop], 'restoring'],
    [[move(150), release, stop, rest], 'idle'],
    [[stop], 'idle'],
    [[release], 'idle'],
  ] as const)('after %j is %s', (events, phase) => expect(after(...events).phase).toBe(phase))

  it('refreshes only if it is released beyond its range, and ends as often as it began', () => {
    const event = fc.oneof(fc.integer({ min: -20, max: 300 }).map(move), fc.constantFrom(release, stop, rest))
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let pull = PULL_IDLE
        for (const each of events) {
          const next = nextPull(pull, each)
          if (next.phase === 'refreshing' && pull.phase !== 'refreshing') {
            expect(pull.phase).toBe('reached')
            expect(each).toBe(release)
          }
          if (pull.phase === 'refreshing' && next.phase !== 'refreshing') expect(each).toBe(stop)
          expect(next.distance >= 0 && next.distance <= PULL_RANGE).toBe(true)
          pull = next
        }
      }),
    )
  })
})
