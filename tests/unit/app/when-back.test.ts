import { expect, it } from 'vitest'
import { whenBack } from '../../../src/app/net/when-back.ts'
import { createStore } from '../../../src/app/store.ts'
import { memoryWorld } from '../../support/memory-ports.ts'

/** A network whose returns are acted on, and the times of that in ms. */
function aNetwork() {
  const { ports, pass } = memoryWorld()
  const online = createStore(true)
  const begun = ports.clock.now()
  const times: number[] = []
  whenBack(online, ports.clock, () => times.push(ports.clock.now() - begun))
  const flicker = () => {
    online.set(false)
    online.set(true)
  }
  return { online, pass, times, flicker }
}

it('a network that is back is acted on at once', async () => {
  const { online, pass, times } = aNetwork()
  online.set(false)
  await pass(5_000)
  online.set(true)
  await pass(0)

  expect(times).toEqual([5_000])
})

it('one that is lost before the pause is over is not', async () => {
  const { online, pass, times, flicker } = aNetwork()
  flicker()
  await pass(0)
  flicker()
  await pass(500)
  online.set(false)
  await pass(60_000)

  expect(times).toEqual([0])
})

it('one that goes and comes all the time is acted on less and less, and at once again after a calm', async () => {
  const { pass, times, flicker } = aNetwork()
  for (const pause of [0, 1_000, 3_000, 7_000, 15_000, 31_000]) {
    flicker()
    await pass(pause)
  }
  expect(times).toEqual([0, 1_000, 4_000, 11_000, 26_000, 57_000])

  await pass(200_000)
  const before = times.length
  flicker()
  await pass(0)
  expect(times.length).toBe(before + 1)
})
