import { describe, expect, it } from 'vitest'
import { createAnswerCache } from '../../../src/app/offline/answer-cache.ts'
import { memoryDatabase } from '../../support/memory-database.ts'

describe('answers cached on the device', () => {
  it('belong to the current session: the newest per request, up to the limit', async () => {
    const app = aDevice()
    for (const url of ['/a', '/b', '/a', '/c']) await app.keep(url)

    expect(await app.read('/a')).toMatchObject({ data: { url: '/a' }, at: 3 })
    expect(await app.read('/b')).toBeUndefined()
    expect(app.device.tables.answers.size).toBe(2)
  })

  it('are not cached if they are too long, or if the user has signed out since', async () => {
    const app = aDevice()
    const key = app.answers.keyOf({ url: '/a', method: 'GET' }) ?? ''

    await app.answers.write(key, 'x'.repeat(200))
    app.signIn = 'another'
    await app.answers.write(key, 'x')

    expect(app.device.tables.answers.size).toBe(0)
  })

  it.each(['all', 'writes'] as const)(
    'are not cached on a device that refuses (%s), and no error is shown',
    async (what) => {
      const app = aDevice()
      app.device.refuse(what)

      await app.keep('/a')
      await app.answers.clear()

      expect(await app.read('/a')).toBeUndefined()
    },
  )
})

function aDevice() {
  const device = memoryDatabase()
  let time = 0
  const app = { device, signIn: 's1' as string | null }
  const answers = createAnswerCache({
    database: device.database,
    signIn: () => app.signIn,
    now: () => {
      time += 1
      return time
    },
    limits: { count: 2, chars: 100 },
  })
  const keyOf = (url: string) => answers.keyOf({ url, method: 'GET' }) ?? ''
  return Object.assign(app, {
    answers,
    keep: (url: string) => answers.write(keyOf(url), { url }),
    read: (url: string) => answers.read(keyOf(url)),
  })
}
