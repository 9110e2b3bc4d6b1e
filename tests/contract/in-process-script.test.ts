import { expect, it, vi } from 'vitest'
import { fetchedScript } from '../../runtime/sandbox/fetched-script.ts'
import { createInProcessScript } from '../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../runtime/sandbox/parse-for-scripts.ts'
import { aPage, aWidget } from '../support/a-page.ts'
import { openScriptedPage } from '../support/script-page.ts'
import { scriptPortContract } from './script-port.ts'

const script = createInProcessScript(nodeQuickJs, parseForScripts)

const soon = () => new Promise((resolve) => setTimeout(resolve, 20))
scriptPortContract({
  name: 'fetched first',
  open: (options) => openScriptedPage({ script: fetchedScript(() => soon().then(() => script)), ...options }),
  terminates: false,
})

it('a script that cannot be fetched is reported once, its calls fail, and hooks wait until it arrives', async () => {
  vi.useFakeTimers()
  let isOnline = false
  const { session, reports, model, act } = await openScriptedPage({
    page: aPage([aWidget('input', 'a', { onClick: 'this.setValue("x")' })]),
    script: fetchedScript(async () => {
      if (!isOnline) throw new TypeError('no network')
      return script
    }),
  })

  const answer = session.ask({ hook: 'onValidate', key: 'a', args: [] })
  act([], { hook: 'onClick', key: 'a', args: [] })
  await vi.advanceTimersByTimeAsync(60_000)
  await session.settled()
  const late = await session.ask({ hook: 'onValidate', key: 'a', args: [] })

  expect([await answer, late]).toMatchObject(
    Array(2).fill({ ok: false, error: { code: 'SCRIPT_UNAVAILABLE' } }),
  )
  expect(reports).toMatchObject([{ code: 'SCRIPT_UNAVAILABLE', stopped: false }])
  expect(model.form.a).toBeNull()

  isOnline = true
  await vi.advanceTimersByTimeAsync(6_000)
  vi.useRealTimers()
  await session.settled()
  expect(model.form.a).toBe('x')
  session.dispose()
})

scriptPortContract({
  name: 'in process',
  open: (options) => openScriptedPage({ script, ...options }),
  terminates: false,
})
