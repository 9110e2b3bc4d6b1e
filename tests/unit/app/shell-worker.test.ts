import { expect, it } from 'vitest'
import { watchForUpdate } from '../../../src/app/offline/shell-worker.ts'

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

const yes = async () => true
const no = async () => false

it('reports a newer version once its files are loaded, even if they were loaded before', async () => {
  const told: string[] = []
  const { kept, install } = aRegistration()
  watchForUpdate(kept, yes, () => told.push('later'))
  expect(told).toEqual([])
  install()
  await expect.poll(() => told).toEqual(['later'])
  watchForUpdate(aRegistration({}).kept, yes, () => told.push('at once'))

  await expect.poll(() => told).toEqual(['later', 'at once'])
})

it('does not report the running version: on the first visit, and after a reload while its worker waits', async () => {
  const told: string[] = []
  const { kept, install } = aRegistration({})
  watchForUpdate(kept, no, () => told.push('newer'))
  install()
  await Promise.resolve()

  expect(told).toEqual([])
})
