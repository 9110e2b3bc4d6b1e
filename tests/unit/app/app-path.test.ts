import { describe, expect, it } from 'vitest'
import { pathOf, withBasePath } from '../../../src/app/net/app-path.ts'

describe('an app served under a path of another site', () => {
  it('derives its base path from the address it was opened at', () => {
    const addresses = [
      'https://a.cn/#/pages/index',
      'https://a.cn/crm/?told=1#/',
      'https://a.cn/x/crm/index.html',
    ]
    expect(addresses.map(pathOf)).toEqual(['', '/crm', '/x/crm'])
  })

  it('prefixes root-relative addresses with the base path, and leaves other addresses unchanged', () => {
    const urls = [
      '/mini/home',
      '//other.cn/a',
      '/\\other.cn/a',
      'https://other.cn/a',
      'blob:x',
      'local:/outbox',
      './a',
      '',
    ]
    expect(urls.map((url) => withBasePath(url, '/crm'))).toEqual(['/crm/mini/home', ...urls.slice(1)])
    expect(withBasePath('/mini/home', '')).toBe('/mini/home')
  })
})
