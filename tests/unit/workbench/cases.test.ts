import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { createInProcessScript } from '../../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../runtime/sandbox/parse-for-scripts.ts'
import { caseOfPage, openRemembered } from '../../../src/workbench/ask/asking.ts'
import { type CaseFile, readCase } from '../../../src/workbench/cases/case.ts'
import { createRecorder } from '../../../src/workbench/cases/recorder.ts'
import { type Replay, replayCase } from '../../../src/workbench/cases/replay.ts'
import { aPage, aWidget, registry } from '../../support/a-page.ts'
import { memoryWorld } from '../../support/memory-ports.ts'

const script = createInProcessScript(nodeQuickJs, parseForScripts)
const turn = (): Promise<void> => new Promise((done) => setTimeout(done, 0))
const replay = (file: CaseFile, document?: JsonObject): Promise<Replay> =>
  replayCase(file, { registry, script, turn, ...(document === undefined ? {} : { document }) })

const WIDGETS = [
  aWidget('input', 'name', { onChange: 'this.getFormRef().setFieldValue("code", value.toUpperCase())' }),
  aWidget('input', 'code'),
  aWidget('input', 'reason', { visibleOn: { '==': [{ var: 'data.level' }, 'high'] }, required: true }),
  {
    type: 'button',
    options: {
      name: 'rate',
      label: 'Rate',
      on: {
        click: [
          {
            do: 'request',
            dsName: 'level',
            then: [{ do: 'set', data: 'level', value: '{{ result.value }}' }],
          },
        ],
      },
    },
  },
]
const CONFIG = {
  dataSources: [
    {
      uniqueName: 'level',
      requestURL: '/level',
      requestMethod: 'post',
      data: [
        { name: 'name', type: 'Variable', value: 'form.name' },
        { name: 'token', type: 'Variable', value: 'DSV.clientToken' },
      ],
    },
  ],
}

/** A user fills in a form with code, calls the server, and saves that as a test case. */
async function aVisit(): Promise<CaseFile> {
  const world = memoryWorld({ script, server: () => ({ meta: { code: 200 }, data: { value: 'high' } }) })
  const page = aPage(WIDGETS, CONFIG)
  const engine = openRemembered(world.ports, { page, params: { id: '7' } }, (ports) =>
    createEngine({ page, registry, ports, params: { id: '7' } }),
  )
  engine.input('name', 'ab')
  engine.input('name', 'abc')
  engine.change('name', 'abc')
  await expect.poll(() => engine.scope().form.code).toBe('ABC')
  await engine.event('rate', 'click')
  await expect.poll(() => engine.node('reason').hidden).toBe(false)
  await engine.validate()
  const file = caseOfPage({ path: '/pages/x/rated', engine })
  engine.dispose()
  if (file === null) throw new Error('nothing was remembered')
  return file
}

it('a recorded visit is one file: the page, how it was opened, the actions, the answers, and the result', async () => {
  const file = readCase(JSON.stringify(await aVisit()))

  expect(file).toMatchObject({
    page: { path: '/pages/x/rated', document: { widgetList: [{}, {}, {}, {}] } },
    state: { options: { params: { id: '7' } } },
    answers: [{ method: 'POST', url: '/level', outcome: { ok: true } }],
    after: { state: { form: { name: 'abc', code: 'ABC' }, widgets: { reason: { required: true } } } },
  })
  expect(file?.acts.map(({ does }) => does)).toEqual(['input', 'change', 'event', 'validate'])
})

it('a visit has the same result whenever it is replayed', async () => {
  const file = await aVisit()

  for (const _ of [1, 2])
    expect(await replay(file)).toEqual({ differences: [], unanswered: [], problems: [] })
})

it('a replay on a changed page reports different results, and requests without an answer', async () => {
  const file = await aVisit()
  const { document } = file.page
  const changed = JSON.parse(
    JSON.stringify(document).replace('toUpperCase', 'toLowerCase').replace('"/level"', '"/other"'),
  ) as JsonObject
  const broken = await replay(file, { widgetList: 1 as Json, formConfig: {} })
  const { differences, unanswered } = await replay(file, changed)

  expect(differences).toContainEqual({ what: 'code', was: 'ABC', is: 'abc' })
  expect(differences).toContainEqual({ what: 'reason · hidden', was: null, is: true })
  expect(unanswered).toEqual(['POST /other'])
  expect(broken.problems.length).toBeGreaterThan(0)
})

it('a visit that has become too long is not saved in part', () => {
  const world = memoryWorld()
  const page = aPage(WIDGETS, CONFIG)
  const recorder = createRecorder(world.ports, { page })
  const engine = recorder.record(createEngine({ page, registry, ports: recorder.ports }))
  for (let i = 0; i < 1_100; i++) {
    engine.focus('name')
    engine.blur('name')
  }

  expect(recorder.save('/pages/x/rated')).toBeNull()
  engine.dispose()
})

it('an invalid case is recognised', () => {
  for (const text of [
    '',
    '[]',
    '{}',
    '{"format":"vform-case","version":2}',
    '{"format":"vform-case","version":1}',
  ])
    expect(readCase(text)).toBeNull()
})

const folder = new URL('../../cases/', import.meta.url)
const kept = readdirSync(folder).filter((name) => name.endsWith('.json'))

it.each(kept)('the case %s has the same result', async (name) => {
  const file = readCase(readFileSync(new URL(name, folder), 'utf8'))
  if (file === null) throw new Error(`${name} is no case`)

  expect(await replay(file)).toEqual({ differences: [], unanswered: [], problems: [] })
})
