import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import type { ModuleDescription } from '../../src/model/description.ts'
import { asMerged, mergeModule } from '../../src/model/merge-module.ts'
import type { TenantModel } from '../../src/server/kernel/model/library.ts'
import { filledPage } from '../../src/server/kernel/model/tenant-pages.ts'
import { checkPage, checkStrictly } from '../../src/server/kernel/pages/check.ts'
import { loadPages, type PageFiles } from '../../src/server/kernel/pages/load.ts'
import { resolveReferences } from '../../src/server/kernel/pages/references.ts'
import { servedPage } from '../../src/server/kernel/pages/served.ts'

const SCHEMAS = join(import.meta.dirname, '../../schemas')
const LISTS = {
  customer: '/pages/customer/my/index',
  lead: '/pages/customer/leads/index',
  contact: '/pages/customer/contact/index',
  bussiness: '/pages/bussiness/index',
  contract: '/pages/contract/index',
  product: '/pages/product/index',
} as const
const POOLS = {
  customer: '/pages/customer/pool/index',
  lead: '/pages/customer/leads-pool/index',
  bussiness: '/pages/bussiness/pool/index',
} as const
const DETAILS = {
  customer: '/pages/customer/my/detail',
  lead: '/pages/customer/leads/detail',
  contact: '/pages/customer/my/detail',
  bussiness: '/pages/bussiness/detail',
  contract: '/pages/contract/detail',
  payment: '/pages/contract/payment/detail',
  product: '/pages/product/detail',
} as const

let files: PageFiles
beforeAll(async () => {
  files = await loadPages(SCHEMAS, checkPage)
})

/** The page for a tenant that added one field to the module and overrides some of the product's. */
function pageWith(path: string, module: string, said: Readonly<Record<string, Json>> = {}): Json {
  const page = files.pages.get(path)
  if (page === undefined || !('document' in page)) throw new Error(`${path} has faults`)
  return filledPage(page, modelWith(module, said)).document
}

/** The tenant's changes: an added field of the module, and overrides of the product's fields. */
function modelWith(module: string, said: Readonly<Record<string, Json>> = {}): TenantModel {
  const names = Object.values(files.referred.module(module) === undefined ? [] : [module])
  const modules = new Map(
    names.map((name) => {
      const shipped = files.referred.module(name) as ModuleDescription
      const own = { name: 'mood', kind: 'text', label: '心情', card: true, filter: true, sort: true } as const
      const changed = Object.entries(said).map(([field, over]) => ({ name: field, ...(over as object) }))
      return [name, mergeModule(shipped, { name, fields: [own, ...changed] })] as const
    }),
  )
  const others = ['customer', 'lead', 'contact', 'bussiness', 'contract', 'payment', 'product'].flatMap(
    (name) => {
      const shipped = files.referred.module(name)
      return modules.has(name) || shipped === undefined ? [] : [[name, asMerged(shipped, 'vendor')] as const]
    },
  )
  return {
    modules: new Map([...modules, ...others]),
    versions: new Map(),
    mirrored: new Map([[`${module}/mood`, 'ready']]),
  }
}

type Widget = { type?: string; options: { name?: string; [option: string]: Json | undefined } }

function widgetsIn(value: Json): Widget[] {
  if (Array.isArray(value)) return value.flatMap(widgetsIn)
  if (typeof value !== 'object' || value === null) return []
  const own = 'options' in value && 'type' in value ? [value as unknown as Widget] : []
  return [...own, ...Object.values(value).flatMap((one) => widgetsIn(one ?? null))]
}

const named = (document: Json, name: string) =>
  widgetsIn(document).find(({ options }) => options.name === name)

describe('a field that a tenant adds with card, filter and sort', () => {
  it.each(Object.entries(LISTS))(
    'is in the list of %s wherever fields of the product are',
    (module, path) => {
      const document = pageWith(path, module)

      expect(named(document, 'card_ext_mood')).toMatchObject({
        options: { textContent: '心情 {{ row.ext_mood }}' },
      })
      expect(named(document, 'f_ext_mood')).toMatchObject({ type: 'input', options: { label: '心情' } })
      expect(JSON.stringify(named(document, 'sort')?.options.optionItems)).toContain('"ext_mood"')
      expect(JSON.stringify((document as { formConfig: Json }).formConfig)).toContain(
        '"field":"ext.mood","op"',
      )
      expect(JSON.stringify(named(document, 'filterReset')?.options.on)).toContain('"f_ext_mood":null')
    },
  )

  it.each(Object.entries({ ...LISTS, ...POOLS }).filter(([module]) => module !== 'product'))(
    'is counted among the filters that the button of %s clears',
    (module, path) => {
      const clear = named(pageWith(path, module), 'filterClear')

      expect(clear?.options.visibleOn).toMatchObject({
        or: expect.arrayContaining([{ '!!': { var: 'form.f_ext_mood' } }]),
      })
      expect(JSON.stringify(clear?.options.on)).toContain('"f_ext_mood":null')
    },
  )

  it.each(['customer', 'lead', 'contact', 'bussiness'] as const)(
    'is part of a saved view of %s',
    (module) => {
      const { formConfig } = pageWith(LISTS[module], module) as { formConfig: { dataSources: Json[] } }
      const save = formConfig.dataSources.find(
        (one) => (one as { uniqueName: string }).uniqueName === 'viewSave',
      )

      expect(save).toMatchObject({ body: { state: { f_ext_mood: '{{ form.f_ext_mood }}' } } })
    },
  )

  it.each(Object.entries(DETAILS))('is in the detail of %s', (module, path) => {
    expect(JSON.stringify(pageWith(path, module))).toContain('"label":"心情"')
  })
})

describe('a tenant’s change of a field of the product', () => {
  it('applies to the filter sheet: one field is added, another removed', () => {
    const document = pageWith(LISTS.customer, 'customer', {
      scale: { filter: true },
      credit_code: { filter: true },
      level: { filter: false },
    })

    expect(named(document, 'f_credit_code')).toMatchObject({ type: 'input' })
    expect(named(document, 'f_level')).toBeUndefined()
    expect(JSON.stringify(document)).toContain('"field":"credit_code","op":"contains"')
    expect(JSON.stringify(document)).not.toContain('form.f_level')
  })
})

describe('a tenant’s own field that a page names itself', () => {
  const served = (document: JsonObject): JsonObject =>
    filledPage(servedPage('/pages/x/form', document, files.referred), modelWith('customer'))
      .document as JsonObject
  const mood = { field: 'customer.ext_mood', options: { placeholder: '随意', label: '今天的心情' } }
  const place = {
    type: 'cell-group',
    category: 'container',
    options: { name: 'own', fields: 'customer' },
    widgetList: [],
  }
  const save = {
    uniqueName: 'save',
    requestURL: '/mini/customer/create',
    requestMethod: 'post',
    body: { record: 'customer' },
  }

  it('appears there once, with the page’s options, and no longer among the others', () => {
    const document = served({ widgetList: [mood, place], formConfig: { dataSources: [save] } })
    const all = widgetsIn(document).filter(({ options }) => options.name === 'ext_mood')

    expect(all).toEqual([
      { type: 'input', formItemFlag: true, options: expect.objectContaining(mood.options) },
    ])
    expect(named(document, 'own')).toBeUndefined()
    expect(JSON.stringify(document.formConfig)).toContain('"ext":{"mood":"{{ form.ext_mood }}"}')
  })

  it('is sent by a page without a place for the others, which do not change', () => {
    const { formConfig } = served({ widgetList: [mood], formConfig: { dataSources: [save] } })

    expect(JSON.stringify(formConfig)).toContain('"ext":{"mood":"{{ form.ext_mood }}"}')
  })

  it('is shown on a card like any other', () => {
    const list = (item: Json): JsonObject => ({
      type: 'list',
      category: 'container',
      options: { name: 'rows' },
      widgetList: [item],
    })
    const line = served({ widgetList: [list({ card: 'customer.ext_mood' })] })
    const tag = served({
      widgetList: [list({ card: 'customer.ext_mood', as: 'tag', options: { tone: 'success' } })],
    })

    expect(named(line, 'card_ext_mood')?.options).toEqual({
      name: 'card_ext_mood',
      textContent: '心情 {{ row.ext_mood }}',
      maxLines: 1,
      fontSize: '13px',
      tone: 'secondary',
      visibleOn: { '!!': { var: 'row.ext_mood' } },
    })
    expect(named(tag, 'ext_mood')).toMatchObject({
      type: 'tag',
      options: { bind: 'row.ext_mood', tone: 'success' },
    })
  })

  it('is no fault of the page, and is omitted if the tenant does not have it', () => {
    const other = { field: 'customer.ext_gone' }
    const resolved = resolveReferences({ widgetList: [other], formConfig: {} }, 'x.json', files.referred)

    expect(resolved.problems).toEqual([])
    expect(checkStrictly(resolved.document).filter(({ severity }) => severity === 'error')).toEqual([])
    expect(served({ widgetList: [other] }).widgetList).toEqual([])
  })
})
