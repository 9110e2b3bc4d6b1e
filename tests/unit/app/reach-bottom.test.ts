import { expect, it } from 'vitest'
import { type ScrollPlace, watchBottom } from '../../../src/app/navigation/reach-bottom.ts'
import { fakeClock } from '../../support/fake-clock.ts'

it.each([
  [{ scrollY: 150, viewHeight: 800, pageHeight: 1000 }, 1],
  [{ scrollY: 149, viewHeight: 800, pageHeight: 1000 }, 0],
  [{ scrollY: 0, viewHeight: 800, pageHeight: 800 }, 0],
])('at %j fires %i times', (place, times) => {
  const app = aPage(place)

  app.look()

  expect(app.reached()).toBe(times)
})

it('does not fire again before the user has left the end of the page', async () => {
  const app = aPage({ scrollY: 200, viewHeight: 800, pageHeight: 1000 })

  app.look()
  await app.clock.pass(1000)
  app.look()
  app.move({ scrollY: 0 })
  app.look()
  app.move({ scrollY: 200 })
  app.look()

  expect(app.reached()).toBe(2)
})

it('pauses for 350 ms, then checks again if the page has grown', async () => {
  const app = aPage({ scrollY: 200, viewHeight: 800, pageHeight: 1000 })

  app.look()
  app.move({ pageHeight: 1100, scrollY: 300 })
  app.look()
  const during = app.reached()
  await app.clock.pass(350)
  await app.clock.pass(300)

  expect([during, app.reached()]).toEqual([1, 2])
})

function aPage(start: ScrollPlace) {
  let place = start
  let count = 0
  const clock = fakeClock()
  const look = watchBottom(
    () => place,
    clock,
    () => {
      count += 1
    },
  )
  return {
    clock,
    look,
    reached: () => count,
    move: (part: Partial<ScrollPlace>) => {
      place = { ...place, ...part }
    },
  }
}
