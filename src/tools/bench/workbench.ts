import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { diffPages } from '../../../runtime/core/edit/diff-pages.ts'
import { type Editing, openText, perform, select, undo } from '../../../runtime/core/edit/history.ts'
import { mergePages } from '../../../runtime/core/edit/merge-pages.ts'
import { optionChange } from '../../../runtime/core/edit/option-change.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import { createRegistry } from '../../../runtime/core/widgets/index.ts'
import { launchChromium } from '../browser.ts'
import { buildStale } from '../build.ts'
import { startCluster } from '../cluster.ts'
import { median } from './measure.ts'
import { start } from './processes.ts'
import { BIG, best, LIMITS as LIMITS_OF_ROOM, measureRoom, type RoomAct } from './workbench-room.ts'

const ROUNDS = 21
/** Limits at 1,000 widgets in milliseconds; drawing is measured in a browser (`workbench-room.ts`). */
const LIMITS: Readonly<Record<string, number>> = {
  open: 1_000,
  select: 50,
  'type a letter into a label': 16,
  undo: 50,
  'differences of two versions': 200,
}

/** A page with a given number of widgets, in groups of twenty. */
function bigPage(size: number): string {
  const field = (group: number, i: number): JsonObject => ({
    type: i % 3 === 0 ? 'select' : 'input',
    formItemFlag: true,
    id: `f${group}_${i}`,
    options: {
      name: `f${group}_${i}`,
      label: `Field ${i} of ${group}`,
      required: i % 4 === 0,
      ...(i % 3 === 0 ? { optionItems: [{ label: 'A', value: 'a' }] } : {}),
      ...(i % 5 === 0 ? { visibleOn: { '!=': [{ var: `form.f${group}_1` }, 'x'] } } : {}),
    },
  })
  const widgetList = Array.from({ length: size / 20 }, (_, group) => ({
    type: 'cell-group',
    category: 'container',
    id: `g${group}`,
    options: { name: `g${group}`, label: `Group ${group}` },
    widgetList: Array.from({ length: 19 }, (_, i) => field(group, i)),
  }))
  const formConfig = { jsonVersion: -3, layoutType: 'H5', page: { title: 'Big' } }
  return JSON.stringify({ formConfig, widgetList }, null, 2)
}

export interface WorkbenchReport {
  /** In Markdown. */
  readonly table: string
  /** Edits that exceed their limit. */
  readonly tooSlow: readonly string[]
}

/** The cost of an edit of a large page before drawing, compared with parsing its text once: medians, and the ratio. */
export function benchWorkbench(size: number): WorkbenchReport {
  const text = bigPage(size)
  const registry = createRegistry()
  const opened = openText(text)
  if (opened === null) throw new Error('the page cannot be read')
  const id = '#f1_3'
  const label = (now: Editing, value: string): Editing =>
    perform(now, { do: 'set', id, path: ['options', 'label'], value }, 'label')
  const typed = label(opened, 'A')
  const other = JSON.parse(bigPage(size).replaceAll('Field 7 of', 'Item 7 of')) as Json
  let n = 0
  const tasks: readonly (readonly [string, () => unknown])[] = [
    ['read its text (JSON.parse)', () => JSON.parse(text)],
    ['open', () => openText(text)],
    ['select', () => select(typed, id)],
    ['type a letter into a label', () => label(typed, `A${n}`)],
    ['find what the open page can show of it', () => optionChange(opened.document, typed.document)],
    ['undo', () => undo(typed)],
    ['open it again as a page', () => parsePage({ ...(typed.document as JsonObject) }, { registry })],
    [
      'differences of two versions',
      () => diffPages({ ...(typed.document as JsonObject) }, { ...(other as JsonObject) }),
    ],
    ['merge of two drafts', () => mergePages(opened.document, typed.document, { ...(other as JsonObject) })],
  ]
  const timings = tasks.map(([name, task]) => {
    const times = Array.from({ length: ROUNDS }, () => {
      n += 1
      const start = performance.now()
      task()
      return performance.now() - start
    })
    return { name, ms: median(times) }
  })
  const base = timings[0]?.ms ?? 1
  const rows = timings.map(
    ({ name, ms }) => `| ${name} | ${ms.toFixed(2)} | ${(ms / base).toFixed(2)} | ${LIMITS[name] ?? ''} |`,
  )
  return {
    table: [
      `| ${size} widgets | ms | × reading the text | at most |`,
      '| --- | --- | --- | --- |',
      ...rows,
    ].join('\n'),
    tooSlow: timings
      .filter(({ name, ms }) => ms > (LIMITS[name] ?? Number.POSITIVE_INFINITY))
      .map(({ name }) => name),
  }
}

/** The same page in the workbench of the built product in a browser, until the result is drawn. Linux only, like `npm run bench -- server`. */
export async function benchRoom(root: string, size: number): Promise<WorkbenchReport> {
  await buildStale()
  const cluster = await startCluster()
  const folder = await mkdtemp(join(tmpdir(), 'crm-bench-'))
  const started: ChildProcess[] = []
  const browser = await launchChromium()
  try {
    const { captured: url } = await start(started, [join(root, 'dist/server/main.js')], /ready (http\S+)/, {
      DATABASE_URL: cluster.url,
      DATA_DIR: folder,
      PORT: '0',
      SEED: 'demo',
      RATE_LIMITS: 'off',
    })
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN' })
    await signIn(page, url)
    await publish(page, bigPage(size))
    const timings = await measureRoom(page)
    const names = Object.keys(LIMITS_OF_ROOM) as RoomAct[]
    return {
      table: [
        `| ${size} widgets in a browser | best, ms | middle, ms | best at most |`,
        '| --- | --- | --- | --- |',
        ...names.map((name) => {
          const times = timings[name]
          return `| ${name} | ${best(times).toFixed(1)} | ${median(times).toFixed(1)} | ${LIMITS_OF_ROOM[name]} |`
        }),
      ].join('\n'),
      tooSlow: names.filter((name) => best(timings[name]) > LIMITS_OF_ROOM[name]),
    }
  } finally {
    await browser.close()
    for (const child of started) child.kill('SIGTERM')
    await Promise.all(started.map((child) => (child.exitCode === null ? once(child, 'exit') : undefined)))
    await cluster.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/#/pages/login/login`)
  await page.locator('[data-field="account"] input').fill('admin')
  await page.locator('[data-field="password"] input').fill('Crm@2026')
  await page.locator('[data-field="agree"] input').first().check()
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForFunction(() => /^#\/?$/.test(location.hash))
}

const publish = (page: Page, document: string): Promise<void> =>
  page.evaluate(
    async ([path, text]) => {
      const answer = await fetch('/engine/web/page/publish', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: localStorage.getItem('token') ?? '' },
        body: JSON.stringify({ path, document: text, base: 0, clientToken: crypto.randomUUID() }),
      })
      const { meta } = (await answer.json()) as { meta: { code: number; message: string } }
      if (meta.code !== 200) throw new Error(meta.message)
    },
    [BIG, document] as const,
  )
