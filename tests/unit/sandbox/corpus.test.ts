import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { codeSlots } from '../../../runtime/core/check/not-supported.ts'
import { HOOKS_NOT_RUN } from '../../../runtime/core/hooks/catalogue-hooks.ts'
import { HOOKS } from '../../../runtime/core/hooks/hook-names.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { isCodeKey } from '../../../runtime/core/page/has-code.ts'
import type { Page } from '../../../runtime/core/page/page.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import type { HookCall } from '../../../runtime/core/ports.ts'
import { createInProcessScript } from '../../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../runtime/sandbox/parse-for-scripts.ts'
import { readCorpus } from '../../../src/tools/corpus-table.ts'
import { registry } from '../../support/a-page.ts'
import { openScriptedPage } from '../../support/script-page.ts'

const corpus = readCorpus(fileURLToPath(new URL('../../../../shared/vform/corpus', import.meta.url)))
const script = createInProcessScript(nodeQuickJs, parseForScripts)

/** The allowed errors of a hook: messages that say what is missing and what to use instead. */
const NAMED =
  /is not available in page scripts|^TypeError: [\w$]+ is not a function$|no data source of this page/

/** Server answers; one of these matches what a handler expects. */
const ANSWERS: readonly Json[] = [
  [{ Key: 'k', Value: 'v', label: 'l', value: 1 }],
  { data: [{ label: 'l', value: 1 }], code: 200 },
  { data: { data: [], list: [], records: [] } },
  { result: { tag: [], list: [] }, data: { result: { tag: [] } } },
]

describe('the hooks of real documents', () => {
  if (corpus === undefined) {
    it('are skipped: ../shared/vform/corpus is absent', () => {
      console.log('real documents: ../shared/vform/corpus is absent')
      expect(corpus).toBeUndefined()
    })
  }
  const withCode = (corpus ?? []).filter(({ document }) => codeSlots(document).length > 0)

  it.each(withCode)('of $name run, or fail with a documented reason', async ({ document }) => {
    const parsed = parsePage(document, { registry })
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
    const page = openScriptedPage({ script, page: parsed.page })

    for (const call of callsOf(parsed.page)) await page.fire(call.hook, call.key, ...call.args)
    const failed = page.reports.map(({ hook, message }) => `${hook}: ${message}`)
    const handlers = await Promise.all(
      handlersOf(parsed.page).map(async ({ hook, key }) => {
        const answers = await Promise.all(
          ANSWERS.map((data) =>
            page.session.ask({ hook, key, args: [{ data, message: 'm', url: '/x' }, false, {}] }),
          ),
        )
        return { hook, ran: answers.some(({ ok }) => ok) }
      }),
    )
    page.session.dispose()

    expect(failed.filter((line) => !NAMED.test(line.slice(line.indexOf(': ') + 2)))).toEqual([])
    expect(handlers.filter(({ ran }) => !ran)).toEqual([])
    expect(hooksNotKnown(document)).toEqual([])
  })
})

/** Every hook of the page with code, called as the page would call it. */
function callsOf(page: Page): readonly HookCall[] {
  const hooks = (holder: JsonObject, key: string): readonly HookCall[] =>
    Object.entries(holder).flatMap(([hook, code]) =>
      hook in HOOKS && !hook.endsWith('HandlerCode') && typeof code === 'string' && code.trim() !== ''
        ? [{ hook, key, args: argsOf(hook) }]
        : [],
    )
  return [
    ...hooks(page.config, ''),
    ...[...page.nodes.values()].flatMap((node) => {
      const keys = node.subForm === null ? [node.key] : [`${node.key}@rowidp1`]
      return keys.flatMap((key) => hooks(node.options, key))
    }),
  ]
}
const argsOf = (hook: string): readonly Json[] =>
  (HOOKS[hook]?.params ?? []).map((name) => (name === 'rowId' ? 'idp1' : name === 'event' ? {} : 1))

function handlersOf(page: Page): readonly { hook: string; key: string }[] {
  return [...page.dataSources.values()].flatMap((source) =>
    Object.keys(source)
      .filter((hook) => hook in HOOKS && String(source[hook]).trim() !== '')
      .map((hook) => ({ hook, key: source.uniqueName })),
  )
}

/** Code slots that are neither run nor listed as not run. */
const hooksNotKnown = (document: JsonObject): readonly string[] =>
  codeSlots(document)
    .map(({ hook }) => hook)
    .filter((hook) => isCodeKey(hook) && !(hook in HOOKS) && !(hook in HOOKS_NOT_RUN) && hook !== 'functions')
