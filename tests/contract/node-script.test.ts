import { beforeAll, expect, it } from 'vitest'
import type { Script } from '../../runtime/core/ports.ts'
import { createNodeScript } from '../../runtime/sandbox/node-script.ts'
import { openScriptedPage } from '../support/script-page.ts'
import { buildScriptWorker } from '../support/script-worker.ts'
import { scriptPortContract } from './script-port.ts'

let script: Script
let chunks = 0
beforeAll(async () => {
  const worker = await buildScriptWorker('node')
  script = createNodeScript(worker.file)
  chunks = worker.chunks
})

scriptPortContract({
  name: 'worker thread',
  open: (options) => openScriptedPage({ script, ...options }),
  terminates: true,
})

it('the script for Node is one file', () => {
  expect(chunks).toBe(1)
})
