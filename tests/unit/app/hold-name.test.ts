import { afterEach, describe, expect, it, vi } from 'vitest'
import { holdName } from '../../../src/app/pages/hold-name.ts'

afterEach(() => vi.unstubAllGlobals())

/** The Web Locks of a browser, as far as they are used. */
function webLocks() {
  const held = new Map<string, Promise<unknown>>()
  return {
    async request(
      name: string,
      { signal }: { readonly signal: AbortSignal },
      task: () => Promise<void>,
    ): Promise<void> {
      while (held.has(name)) {
        const aborted = new Promise((late) => signal.addEventListener('abort', late))
        await Promise.race([held.get(name), aborted])
        signal.throwIfAborted()
      }
      const run = task()
      held.set(name, run)
      await run
      held.delete(name)
    },
  }
}

describe('a name', () => {
  it('is held by one page until it is released', async () => {
    vi.stubGlobal('navigator', { locks: webLocks() })
    const release = await holdName('draft:a')

    expect(await holdName('draft:a')).toBeNull()
    expect(await holdName('draft:b')).not.toBeNull()
    await release?.()
    expect(await holdName('draft:a')).not.toBeNull()
  })

  it('that a page gives up a moment later, as on a reload, is held by the next one', async () => {
    vi.stubGlobal('navigator', { locks: webLocks() })
    const release = await holdName('draft:a')
    const next = holdName('draft:a')

    await release?.()

    expect(await next).not.toBeNull()
  })

  it.each([
    ['has no locks', {}],
    ['forbids them', { locks: { request: () => Promise.reject(new Error('insecure')) } }],
  ])('is for everybody if the browser %s', async (_, navigator) => {
    vi.stubGlobal('navigator', navigator)

    const release = await holdName('draft:a')
    expect(await holdName('draft:a')).not.toBeNull()
    await expect(release?.()).resolves.toBeUndefined()
  })
})
