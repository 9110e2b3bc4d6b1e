import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import rows from '../../../schemas/routes.json'
import { createRouteTable, formatPlace, type Place, parsePlace } from '../../../src/app/routes.ts'

describe('an in-app url', () => {
  it('is resolved against the page it stands on', () => {
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
  ])('is never %s', (url) => {
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

/** Routes of ours beyond the specification's table. */
const OWN = new Set([
  '/pages/contract/add',
  '/pages/contract/payment/add',
  '/pages/contract/payment/detail',
  '/pages/contract/plan/add',
  '/pages/activity/add',
  '/pages/product/add',
  '/pages/work/todo/add',
  '/pages/my/message/setting',
  '/pages/my/outbox/index',
])

describe('the route table', () => {
  const table = createRouteTable(rows)

  it('knows every route of the specification, and each route once', () => {
    const own = rows.filter((row) => OWN.has(row.path))
    expect(rows.length - own.length).toBe(43)
    expect(new Set(rows.map((row) => row.path)).size).toBe(rows.length)
  })

  it('shows the page of home under / and its alias', () => {
    expect(table.find('/pages/index')).toBe(table.find('/'))
    expect(table.find('/')?.page).toBe('/pages/index')
  })

  it('leads the one route for adding on to the form of what is added, with the rest of its query', () => {
    const add = (query: Record<string, string>) =>
      table.resolve({ path: '/pages/customer/my/add', query }).path

    expect(
      table.resolve(parsePlace('/pages/customer/my/add?module=contract&customerId=c1') as Place),
    ).toEqual({
      path: '/pages/contract/add',
      query: { customerId: 'c1' },
    })
    expect(add({ module: 'lead' })).toBe('/pages/customer/my/add')
    expect(add({ module: 'constructor' })).toBe('/pages/customer/my/add')
    expect(add({})).toBe('/pages/customer/my/add')
  })

  it('opens only login, terms and the form demos without a session', () => {
    const open = rows.filter((row) => row.needLogin === false).map((row) => row.path)

    expect(open.filter((path) => !path.startsWith('/pages/vform/'))).toEqual([
      '/pages/login/login',
      '/pages/login/protocol',
    ])
  })
})
