import { expect, it } from 'vitest'
import { watchNewer } from '../../../src/app/offline/shell-worker.ts'

function aRegistration(waiting: unknown = null) {
  let found = () => {}
  let changed = () => {}
  const installing = {
    state: 'installing' as ServiceWorkerState,
    addEventListener: (_: string, listener: unknown) => {
      changed = listener as () => void
    },
  }
  const kept = {
    installing,
    waiting,
    addEventListener: (_: string, listener: () => void) => {
      found = listener
    },
  }
  return {
    kept,
    install() {
      found()
      installing.state = 'installed'
      changed()
    },
  }
}

it('a newer version is told of once its files are there, and at once when they came earlier', () => {
  const told: string[] = []
  const { kept, install } = aRegistration()
  watchNewer(
    kept,
    () => true,
    () => told.push('later'),
  )
  expect(told).toEqual([])
  install()
  watchNewer(
    aRegistration({}).kept,
    () => true,
    () => told.push('at once'),
  )

  expect(told).toEqual(['later', 'at once'])
})

it('the first visit is no newer version', () => {
  const told: string[] = []
  const { kept, install } = aRegistration()
  watchNewer(
    kept,
    () => false,
    () => told.push('newer'),
  )
  install()

  expect(told).toEqual([])
})
