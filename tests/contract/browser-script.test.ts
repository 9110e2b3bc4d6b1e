import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBrowserScript } from '../../runtime/sandbox/browser-script.ts'
import { type BrowserWorkers, openBrowserWorkers } from '../support/browser-workers.ts'
import { openScriptedPage } from '../support/script-page.ts'
import { buildScriptWorker } from '../support/script-worker.ts'
import { scriptPortContract } from './script-port.ts'

/** Messages take a detour through Node here: `tests/browser/scripts` measures without it. */
const DETOUR_MS = 300

let workers: BrowserWorkers
let chunks = 0
beforeAll(async () => {
  const built = await buildScriptWorker('browser')
  chunks = built.chunks
  workers = await openBrowserWorkers(built.file)
}, 60_000)
afterAll(() => workers.close())

scriptPortContract({
  name: 'browser worker',
  open: (options) =>
    openScriptedPage({ script: createBrowserScript(() => workers.createWorker(), DETOUR_MS), ...options }),
  terminates: true,
})

describe('the browser worker', () => {
  it('is one file', () => {
    expect(chunks).toBe(1)
  })

  it.each([
    ['fetch', 'return fetch(self.location.origin + "/").then(function () { return "open" })'],
    [
      'WebSocket',
      'return new Promise(function (done, fail) { var s = new WebSocket("ws" + self.location.origin.slice(4)); s.onopen = function () { done("open") }; s.onerror = function () { fail(new Error("refused")) } })',
    ],
    ['importScripts', 'importScripts("/worker.js"); return "open"'],
    ['eval', 'return eval("\'open\'")'],
    ['new Function', 'return new Function("return \'open\'")()'],
    ['a module', 'return import("/worker.js").then(function () { return "open" })'],
    [
      'a worker of its own',
      'return new Promise(function (done, fail) { var w = new Worker("/worker.js"); w.onerror = function () { fail(new Error("refused")) }; setTimeout(function () { done("open") }, 500) })',
    ],
  ])('has no %s, even outside QuickJS', async (_, code) => {
    const probe = `new Promise(function (done) { done((function () { ${code} })()) })
      .then(function (v) { postMessage(v) }, function (e) { postMessage("refused: " + e) })`

    expect(await workers.probe(probe)).toMatch(/^refused/)
  })
})
