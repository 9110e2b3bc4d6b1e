import { expect, it } from 'vitest'
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

it('a script that cannot be fetched is reported, and what is asked of it fails', async () => {
  const { session, reports } = await openScriptedPage({
    page: aPage([aWidget('input', 'a', { onClick: 'this.setValue("x")' })]),
    script: fetchedScript(() => Promise.reject(new TypeError('no network'))),
  })

  const answer = await session.ask({ hook: 'onValidate', key: 'a', args: [] })
  await session.settled()

  expect(answer).toMatchObject({ ok: false, error: { code: 'SCRIPT_ERROR' } })
  expect(reports).toMatchObject([{ code: 'SCRIPT_STOPPED', stopped: true }])
})

scriptPortContract({
  name: 'in process',
  open: (options) => openScriptedPage({ script, ...options }),
  terminates: false,
})
