import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import rows from '../../../schemas/routes.json'
import { createRouteTable, formatPlace, parsePlace } from '../../../src/app/routes.ts'

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

describe('the route table', () => {
  const table = createRouteTable(rows)

  it('knows every route of the specification, once', () => {
    expect(rows.length).toBe(43)
    expect(new Set(rows.map((row) => row.path)).size).toBe(rows.length)
  })

  it('shows the page of home under / and its alias', () => {
    expect(table.find('/pages/index')).toBe(table.find('/'))
    expect(table.find('/')?.page).toBe('/pages/index')
  })

  it('opens only login, terms and the form demos without a session', () => {
    const open = rows.filter((row) => row.needLogin === false).map((row) => row.path)

    expect(open.filter((path) => !path.startsWith('/pages/vform/'))).toEqual([
      '/pages/login/login',
      '/pages/login/protocol',
    ])
  })
})
