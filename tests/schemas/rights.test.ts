import { beforeAll, describe, expect, it } from 'vitest'
import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import { applyRule, dependenciesOf, isTruthy } from '../../runtime/core/logic/rule.ts'
import { requiredRight } from '../../src/app/pages/page-right.ts'
import { routesOfServer } from '../../src/server/http/routes-of-server.ts'
import { objectsIn, type ProductPage, readProduct, settingsOf, sourcesOf } from './product-pages.ts'

/** Pages that consist of a form only; elsewhere the server's `actions` decide whether a save button is shown. */
const FORM_PAGE = /\/(?:add|edit|handover)$/

describe('a page that is a form', () => {
  let forms: readonly ProductPage[]
  /** The permission each posting route requires; '' for none. */
  let rights: ReadonlyMap<string, string>

  beforeAll(async () => {
    const posting = (await routesOfServer()).filter(({ method }) => method === 'post')
    rights = new Map(posting.map(({ path, permission }) => [path, permission ?? '']))
    forms = (await readProduct()).pages.filter(({ path }) => FORM_PAGE.test(path))
  })

  it('requires exactly the right that its save requires, however it was opened', () => {
    const told = forms.flatMap((page) =>
      casesOf(page).flatMap((params) =>
        savesOf(page, params)
          .map((url) => ({ url, right: rights.get(url.split('?')[0] ?? '') }))
          .filter(({ right }) => right !== requiredRight(settingsOf(page), {}, params))
          .map(({ url, right }) => `${page.path} ${JSON.stringify(params)}: ${url} needs ${right}`),
      ),
    )
    expect(told).toEqual([])
  })

  it('is found with each of its saves', () => {
    const saved = forms.flatMap((page) => casesOf(page).flatMap((params) => savesOf(page, params)))
    for (const entity of ['customer', 'contact', 'lead', 'bussiness', 'contract', 'payment', 'product'])
      for (const call of ['create', 'update']) expect(saved).toContain(`/mini/${entity}/${call}`)
  })
})

/** Every way to open the page that its rules distinguish: each parameter absent, or with a value they name. */
function casesOf(page: ProductPage): readonly JsonObject[] {
  const named = new Map<string, Set<string>>()
  for (const rule of objectsIn(page.document)) {
    const [left, right] = [rule['=='] ?? rule['!='] ?? rule.in ?? rule['!!'] ?? rule['!']].flat() as Json[]
    const path = isObject(left) && typeof left.var === 'string' ? left.var : ''
    if (!/^params\.(?:id|module)$/.test(path)) continue
    const values = [right ?? 'x'].flat().filter((value) => typeof value === 'string')
    named.set(path.slice(7), new Set([...(named.get(path.slice(7)) ?? []), ...values]))
  }
  return [...named].reduce<readonly JsonObject[]>(
    (cases, [name, values]) =>
      cases.flatMap((one) => [one, ...[...values].map((value) => ({ ...one, [name]: value }))]),
    [{}],
  )
}

/** Addresses that a press may submit to if the page was opened with these parameters. */
function savesOf(page: ProductPage, params: JsonObject): readonly string[] {
  const addresses = new Map(sourcesOf(page).map((one) => [one.uniqueName, String(one.requestURL)]))
  return [...submitsIn(page.document, params)].map((name) => addresses.get(name) ?? name)
}

function* submitsIn(value: Json | undefined, params: JsonObject): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* submitsIn(one, params)
  if (!isObject(value)) return
  const holds = decided(value.if, params)
  if (value.do === 'submit' && typeof value.dsName === 'string' && holds !== false) yield value.dsName
  if (value.do === 'save' && holds !== false) yield savedBy(value, params)
  if (value.do !== undefined && value.do !== 'when' && holds === false) return
  for (const [key, child] of Object.entries(value)) {
    if (value.do === 'when' && ((key === 'then' && holds === false) || (key === 'else' && holds === true)))
      continue
    yield* submitsIn(child, params)
  }
}

/** The source that a save uses (PAGE-FORMAT, "Actions"). */
function savedBy({ dsName, create, update }: JsonObject, { id }: JsonObject): string {
  return String(dsName ?? (id === undefined ? (create ?? 'create') : (update ?? 'update')))
}

/** True or false if the parameters alone decide; null if they do not. */
function decided(rule: Json | undefined, params: JsonObject): boolean | null {
  if (rule === undefined || !dependenciesOf(rule).every((path) => path.startsWith('params.'))) return null
  return isTruthy(applyRule(rule, { form: {}, params, user: {}, dict: {}, data: {} }))
}
