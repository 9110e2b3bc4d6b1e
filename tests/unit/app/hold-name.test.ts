import { afterEach, describe, expect, it, vi } from 'vitest'
import { holdName } from '../../../src/app/pages/hold-name.ts'

afterEach(() => vi.unstubAllGlobals())

/** The Web Locks of a browser, as far as they are used. */
function webLocks() {
  const held = new Set<string>()
  return {
    async request(
      name: string,
      _options: { readonly ifAvailable: true },
      task: (lock: object | null) => Promise<void> | undefined,
    ): Promise<void> {
      if (held.has(name)) return task(null)
      held.add(name)
      await task({ name })
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
