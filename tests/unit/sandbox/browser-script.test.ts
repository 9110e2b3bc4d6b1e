import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBrowserScript } from '../../../runtime/sandbox/browser-script.ts'
import { emptyPage } from '../../support/script-page.ts'

describe('the worker of a page', () => {
  let frames: Map<number, () => void>
  const paint = () => {
    const due = [...frames.values()]
    frames.clear()
    for (const run of due) run()
  }
  const workers: { readonly posted: unknown[] }[] = []
  const createWorker = () => {
    const posted: unknown[] = []
    workers.push({ posted })
    return { postMessage: (message: unknown) => posted.push(message), terminate() {} } as unknown as Worker
  }
  beforeEach(() => {
    vi.useFakeTimers()
    frames = new Map()
    workers.length = 0
    let last = 0
    vi.stubGlobal('requestAnimationFrame', (run: () => void) => {
      last += 1
      frames.set(last, run)
      return last
    })
    vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id))
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is created once, whether the page is painted soon, late or never', () => {
    const open = () => createBrowserScript(createWorker).open(emptyPage())

    open()
    paint()
    expect(workers).toHaveLength(0) // what was painted comes first
    vi.advanceTimersByTime(1_000)
    expect(workers).toHaveLength(1)

    const hidden = open()
    vi.advanceTimersByTime(1_000)
    paint() // it comes into sight
    vi.advanceTimersByTime(1_000)
    hidden.post(1, [], [])
    expect(workers).toHaveLength(2)
    expect(workers[1]?.posted).toHaveLength(2) // the opening and the post
  })

  it('is not created for a page that closes before it is painted', () => {
    const session = createBrowserScript(createWorker).open(emptyPage())
    session.dispose()
    vi.advanceTimersByTime(1_000)
    paint()
    vi.advanceTimersByTime(1_000)

    expect(workers).toHaveLength(0)
  })
})
