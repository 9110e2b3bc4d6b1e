import { expect, it } from 'vitest'
import { createListening } from '../../../src/server/kernel/db/listening.ts'

it('a listener that starts after shutdown opens no session that nobody would close', async () => {
  const listening = createListening({
    url: 'postgres://nobody@127.0.0.1:1/none',
    onError: () => {},
    connectMs: 100,
  })
  await listening.close()

  await expect(
    listening.listen(
      'news',
      () => {},
      () => {},
    ),
  ).resolves.toBeTypeOf('function')
})
