import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import rows from '../../../schemas/routes.json'
import { createRouteTable, formatPlace, type Place, parsePlace } from '../../../src/app/navigation/routes.ts'

describe('an in-app url', () => {
  it('is resolved against the current page', () => {
    expect(parsePlace('detail?id=1', '/pages/customer/my/index')).toEqual({
      path: '/pages/customer/my/detail',
      query: { id: '1' },
    })
  })

  it.each([
    'https://evil.example/pages/my/index',
    '//evil.example/pages/my/index',
    '/\\evil.example/pages',
    '\\\\evil.example/pages',
    'javascript:alert(1)',
    'http://in-app.invalid.evil.example/',
    'http://in-app.invalid@evil.example/',
    'http://user@in-app.invalid/pages/my/index',
    'data:text/html,x',
  ])('never becomes %s', (url) => {
    expect(parsePlace(url)).toBeNull()
  })

  it('keeps any query value through writing and reading', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' })), (query) => {
        const safe = Object.fromEntries(Object.entries(query).filter(([name]) => name !== '__proto__'))
        expect(parsePlace(formatPlace({ path: '/pages/my/index', query: safe }))?.query).toEqual(safe)
      }),
    )
  })
})

/** The route table of the specification. */
const SPECIFIED = [
  '/',
  '/pages/components/add-module',
  '/pages/customer/my/index',
  '/pages/customer/my/detail',
  '/pages/customer/my/add',
  '/pages/customer/my/follow/add',
  '/pages/customer/my/follow/detail',
  '/pages/customer/pool/index',
  '/pages/customer/pool/detail',
  '/pages/customer/contact/index',
  '/pages/customer/leads/index',
  '/pages/customer/leads/detail',
  '/pages/customer/leads-pool/index',
  '/pages/customer/leads-pool/detail',
  '/pages/bussiness/index',
  '/pages/bussiness/detail',
  '/pages/bussiness/pool/index',
  '/pages/bussiness/pool/detail',
  '/pages/contract/index',
  '/pages/contract/detail',
  '/pages/activity/index',
  '/pages/activity/detail',
  '/pages/product/index',
  '/pages/product/detail',
  '/pages/my/index',
  '/pages/my/setting/index',
  '/pages/my/setting/menu',
  '/pages/my/setting/edit',
  '/pages/my/setting/password',
  '/pages/my/setting/tenant',
  '/pages/my/about',
  '/pages/my/message/index',
  '/pages/work/todo/index',
  '/pages/login/login',
  '/pages/login/protocol',
  '/pages/vform/index',
  '/pages/vform/vformRender/props',
  '/pages/vform/vformRender/formEvents',
  '/pages/vform/vformRender/formActions',
  '/pages/vform/containers/index',
  '/pages/vform/widgets/index',
  '/pages/vform/json/index',
  '/pages/vform/template/index',
]

describe('the route table', () => {
  const table = createRouteTable(rows)

  it('contains every route of the specification, each once', () => {
    const known = rows.map((row) => row.path)
    expect(SPECIFIED.filter((path) => !known.includes(path))).toEqual([])
    expect(new Set(known).size).toBe(known.length)
  })

  it('shows the home page under / and its alias', () => {
    expect(table.find('/pages/index')).toBe(table.find('/'))
    expect(table.find('/')?.page).toBe('/pages/index')
  })

  it('forwards the route for new records to the form of the record, with the rest of its query', () => {
    const add = (query: Record<string, string>) =>
      table.resolve({ path: '/pages/customer/my/add', query }).path

    expect(
      table.resolve(parsePlace('/pages/customer/my/add?module=contract&customerId=c1') as Place),
    ).toEqual({
      path: '/pages/contract/add',
      query: { customerId: 'c1' },
    })
    expect(add({ module: 'lead' })).toBe('/pages/customer/leads/add')
    expect(add({ module: 'customer' })).toBe('/pages/customer/my/add')
    expect(add({ module: 'constructor' })).toBe('/pages/customer/my/add')
    expect(add({})).toBe('/pages/customer/my/add')
  })

  it('contains routes that several pages share and that have no title', () => {
    expect(table.find('/pages/m/ticket/add')).toMatchObject({ path: '/pages/m/ticket/add', shared: true })
    expect(table.find('/pages/contract/add')?.shared).toBe(false)
  })

  it('opens only login, terms and the form demos without a session', () => {
    const open = rows.filter((row) => row.needLogin === false).map((row) => row.path)

    expect(open.filter((path) => !path.startsWith('/pages/vform/'))).toEqual([
      '/pages/login/login',
      '/pages/login/protocol',
    ])
  })
})
