import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ports } from '../../runtime/core/ports.ts'
import { servePages } from '../../src/tools/bench/serve-pages.ts'
import { buildRuntime } from '../../src/tools/build-runtime.ts'
import { type FeedbackStage, feedbackPortContract } from '../contract/feedback-port.ts'
import { openPhone, type Phone, sharedBrowser } from '../support/phone.ts'
import { FIELDS } from './widgets/every-widget.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)
/** The headers of a strict host; the worker has a policy of its own. */
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; object-src 'none'"
const WORKER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'"

/** What the example exposes on its window. */
declare global {
  interface Window {
    readonly ports: Ports
    readonly check: (type: string, value: unknown, options: object) => Promise<readonly string[]>
    ended?: () => void
  }
}

let folder: string
let served: Awaited<ReturnType<typeof servePages>>
let phone: Phone
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-'))
  await install(join(folder, 'host'))
  await build({
    configFile: false,
    root: join(folder, 'host'),
    base: './',
    logLevel: 'error',
    build: {
      outDir: join(folder, 'built'),
      target: 'es2022',
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 5000,
    },
  })
  served = await servePages(join(folder, 'built'), (path) => ({
    'content-security-policy': /worker/.test(path) ? WORKER_POLICY : POLICY,
  }))
  phone = await openPhone(await sharedBrowser(), `${served.origin}/index.html`)
})
afterAll(async () => {
  await phone?.close()
  served?.close()
  await rm(folder, { recursive: true, force: true })
})

/** The example in a separate folder, with the packed package and its dependencies, laid out as by `npm install`. */
async function install(host: string): Promise<void> {
  const built = await buildRuntime(join(folder, 'package'))
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: built })
  await cp(join(ROOT, 'runtime/library/example'), host, { recursive: true })
  const modules = join(host, 'node_modules')
  await mkdir(join(modules, 'vform-runtime'), { recursive: true })
  await run('tar', [
    '-xzf',
    join(folder, stdout.trim()),
    '--strip-components=1',
    '-C',
    join(modules, 'vform-runtime'),
  ])
  const { peerDependencies, dependencies } = JSON.parse(
    await readFile(join(modules, 'vform-runtime/package.json'), 'utf8'),
  ) as Record<'peerDependencies' | 'dependencies', Record<string, string>>
  // The types of React and of vite's `?url` come from the host.
  for (const name of [...Object.keys({ ...peerDependencies, ...dependencies }), '@types', 'vite']) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), join(modules, name))
  }
}

/** All code of the manual as one module, together with the example's widget and a test's `expect`. */
async function manualCode(): Promise<string> {
  const manual = await readFile(join(ROOT, 'runtime/library/README.md'), 'utf8')
  const blocks = [...manual.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code)
  expect(blocks.length).toBe([...manual.matchAll(/^```./gm)].length)
  return [
    "import { createRegistry, createWidgetViews } from 'vform-runtime'",
    "import { TrafficLight, trafficLight } from './traffic-light.tsx'",
    'declare const expect: (value: unknown) => { toEqual(other: unknown): void }',
    ...blocks,
  ].join('\n')
}

const check = (type: string, value: unknown, options: object): Promise<readonly string[]> =>
  phone.page.evaluate((given) => window.check(...given), [type, value, options] as const)

describe('the runtime as a package, in a host other than the CRM', () => {
  it("the example and the code in the manual compile against the package's own types", async () => {
    await writeFile(join(folder, 'host/manual.ts'), await manualCode())
    await writeFile(
      join(folder, 'host/tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          target: 'ES2023',
          module: 'ESNext',
          moduleResolution: 'bundler',
          lib: ['ES2023', 'DOM', 'DOM.Iterable'],
          types: ['vite/client'],
          jsx: 'react-jsx',
          strict: true,
          allowImportingTsExtensions: true,
          resolveJsonModule: true,
          noEmit: true,
        },
      }),
    )
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const said = await run(process.execPath, [tsc, '-p', join(folder, 'host')]).catch(
      (error: { stdout: string }) => error,
    )
    expect(said.stdout).toBe('')
  })

  it('draws a VForm document, runs its code in the worker, and returns the input', async () => {
    const { page } = phone
    await page.getByLabel('客户名称').fill('杭州星海')
    await page.getByLabel('客户名称').blur()
    await expect.poll(() => page.getByLabel('称呼').inputValue()).toBe('您好，杭州星海')

    await page.getByRole('button', { name: '提交' }).click()
    await expect.poll(() => page.locator('#sent').textContent()).toBe('1 to mend')

    await page.getByRole('button', { name: 'amber' }).click()
    await page.getByRole('button', { name: '提交' }).click()
    await expect
      .poll(() => page.locator('#sent').textContent())
      .toBe(JSON.stringify({ customer: '杭州星海', greeting: '您好，杭州星海', state: 'amber' }))
  })

  it('passes the conformance kit with the example’s own widget', async () => {
    expect(await check('traffic-light', 'green', {})).toEqual([])
  })

  it('passes the conformance kit with the fields of the catalogue', async () => {
    const found: Record<string, readonly string[]> = {}
    for (const [type, options, value] of FIELDS) {
      const faults = await check(type, value, options)
      if (faults.length > 0) found[type] = faults
    }
    expect(found).toEqual({})
  })
})

async function dialogsOfTheBrowser(): Promise<FeedbackStage> {
  const { page } = phone
  await page.reload()
  await page.waitForFunction(() => 'ports' in window)
  return {
    toast: (options) => page.evaluate((one) => window.ports.feedback.toast(one), options),
    async loading(words) {
      await page.evaluate((one) => {
        window.ended = window.ports.feedback.loading(one)
      }, words)
      return () => page.evaluate(() => window.ended?.())
    },
    modal: (options) => page.evaluate((one) => window.ports.feedback.modal(one), options),
    actionSheet: (items, title) =>
      page.evaluate(([all, over]) => window.ports.feedback.actionSheet(all, over), [items, title] as const),
    notice: async () =>
      (await page.locator('.vf-told').count()) === 0 ? null : page.locator('.vf-told').textContent(),
    press: (word) => page.locator('dialog').getByRole('button', { name: word }).click(),
    async dismiss() {
      await page.locator('dialog').waitFor()
      await page.keyboard.press('Escape')
    },
  }
}
feedbackPortContract("by the browser's own dialogs", dialogsOfTheBrowser)

it('a navigation opens the web, and changes no other state', async () => {
  const said = await phone.page.evaluate(() => {
    const { navigator } = window.ports
    try {
      navigator.open('javascript:document.title = "taken"')
      return 'opened'
    } catch (error) {
      return String(error)
    }
  })
  expect(said).toContain('no address of the web')
})
