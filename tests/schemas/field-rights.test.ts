import { describe, expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import { isObject, type JsonObject, objectsIn, ownValue } from '../../runtime/core/json.ts'
import { rightsInRules } from '../../src/contract/field-rights.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { pageAt, readJson, readProduct, sourcesOf } from './product-pages.ts'

const product = await readProduct()
const RIGHTS = { customer: { level: 'hidden', mobile: 'masked', source: 'read' } } as const

const PERMISSIONS = ['customer:view', 'customer:add', 'bussiness:view', 'contract:view', 'stats:team']

/** A page as opened by a person with these rights. */
function open(path: string, params: Readonly<Record<string, string>>, rights: JsonObject) {
  const opened = pageAt(product, path)
  return createEngine({
    page: opened,
    registry,
    ports: memoryWorld().ports,
    params,
    user: { permissions: PERMISSIONS, fieldRights: rights },
  })
}

describe('a form of the product', () => {
  const fieldsOf = (params: Readonly<Record<string, string>>, rights: JsonObject) => {
    const engine = open('/pages/customer/my/add', params, rights)
    return ['level', 'mobile', 'source', 'name'].map((name) => {
      const { hidden, readonly } = engine.node(engine.find(name) ?? name)
      return `${name}: ${hidden ? 'gone' : readonly ? 'read' : 'open'}`
    })
  }

  it('of a record omits fields that its user does not see, and disables fields that they may only read', () => {
    expect(fieldsOf({ id: 'c1' }, rightsInRules(RIGHTS))).toEqual([
      'level: gone',
      'mobile: gone',
      'source: read',
      'name: open',
    ])
  })

  it('of a new record omits every field that its user may not write', () => {
    expect(fieldsOf({}, rightsInRules(RIGHTS))).toEqual([
      'level: gone',
      'mobile: gone',
      'source: gone',
      'name: open',
    ])
  })

  it('is complete for a user without restrictions', () => {
    for (const params of [{}, { id: 'c1' }])
      expect(fieldsOf(params, {})).toEqual(['level: open', 'mobile: open', 'source: open', 'name: open'])
  })
})

describe('the analysis', () => {
  const chartsOf = (rights: Parameters<typeof rightsInRules>[0]) => {
    const engine = open('/pages/stats/index', {}, rightsInRules(rights))
    const charts = ['sourcesChart', 'lossesChart', 'lossAmountsChart', 'productsChart']
    return charts.filter((name) => !engine.node(engine.find(name) ?? name).hidden)
  }

  it.each([
    [{ bussiness: { amount: 'hidden' } }, ['lossAmountsChart']],
    [{ bussiness: { lose_reason: 'masked' } }, ['lossesChart', 'lossAmountsChart']],
    [{ contract: { amount: 'masked' } }, ['productsChart']],
    [{ contract: { lines: 'hidden' } }, ['productsChart']],
    [{ contract: { amount: 'read' } }, []],
  ])(
    'has no chart of a field that its reader does not see, which would say that there is nothing: %j',
    (rights, gone) => {
      const all = chartsOf({})
      expect(chartsOf(rights)).toEqual(all.filter((name) => !gone.includes(name)))
      expect(all).toEqual(expect.arrayContaining(gone))
    },
  )
})

describe('every form of the product', () => {
  const forms = product.pages.flatMap((page) =>
    sourcesOf(page).flatMap(({ uniqueName, requestURL }) => {
      const module = /^\/mini\/(\w+)\/(?:create|update)$/.exec(String(requestURL))?.[1]
      return module === undefined ? [] : [{ page: page.path, module, source: String(uniqueName) }]
    }),
  )
  /** Written by an action of a page, not by a form of the module. */
  const BESIDE = ['callLog', 'save']
  const written = forms.filter(({ source }) => !BESIDE.includes(source))

  it.each(written.filter(({ module }) => module !== 'todo'))(
    'sends nothing that its user may not write: $page $source',
    async ({ page, module, source }) => {
      const sent = async (right?: string) => {
        const world = memoryWorld()
        const of = await modelOf(module)
        const rights = right === undefined ? {} : Object.fromEntries(of.map((name) => [name, right]))
        const opened = pageAt(product, page)
        const engine = createEngine({
          page: opened,
          registry,
          ports: world.ports,
          params: { id: 'r1' },
          user: { permissions: [], fieldRights: rightsInRules({ [module]: rights }) as JsonObject },
        })
        await engine.request(source)
        const body = world.requests.at(-1)?.body
        return Object.keys(isObject(body) ? body : {}).filter((name) => of.includes(name))
      }
      expect((await sent()).length).toBeGreaterThan(1)
      expect(await sent('hidden')).toEqual([])
      expect(await sent('read')).toEqual([])
    },
  )
})

/** Fields that a role may be denied. */
async function modelOf(module: string): Promise<readonly string[]> {
  const file = await readJson(`schemas/modules/${module}.json`)
  return objectsIn(ownValue(file, 'fields'))
    .filter(({ readonly }) => readonly === undefined)
    .map(({ name }) => String(name))
}

it('a filter sheet offers no field that its user sees only in part', () => {
  const asked = (rights: JsonObject) => {
    const engine = open('/pages/customer/my/index', {}, rights)
    return ['f_level', 'f_source'].map((name) => engine.node(engine.find(name) ?? name).hidden)
  }

  expect(asked({})).toEqual([false, false])
  expect(asked(rightsInRules(RIGHTS))).toEqual([true, false])
})

it('a sort sheet offers no field that its user sees only in part', () => {
  const offered = (rights: JsonObject) => {
    const engine = open('/pages/customer/my/index', {}, rights)
    return engine.node(engine.find('sort') ?? 'sort').items.map(({ value }) => value)
  }

  expect(offered({})).toContain('level')
  expect(offered(rightsInRules(RIGHTS))).not.toContain('level')
  expect(offered(rightsInRules(RIGHTS))).toHaveLength(offered({}).length - 1)
})

it('rights are nested as deep as the names of their module and field', () => {
  const rights = {
    customer: { level: 'read', 'ext.wechat': 'hidden' },
    lead: {},
    'm.ticket': { secret: 'hidden' },
    'm.visit': { note: 'read' },
  }
  expect(rightsInRules(rights)).toEqual({
    customer: { level: 'read', ext: { wechat: 'hidden' } },
    lead: {},
    m: { ticket: { secret: 'hidden' }, visit: { note: 'read' } },
  })
})
