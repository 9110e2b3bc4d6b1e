import { createInProcessScript } from '../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../runtime/sandbox/parse-for-scripts.ts'
import { openScriptedPage } from '../support/script-page.ts'
import { scriptPortContract } from './script-port.ts'

const script = createInProcessScript(nodeQuickJs, parseForScripts)

scriptPortContract({
  name: 'in process',
  open: (options) => openScriptedPage({ script, ...options }),
  terminates: false,
})
