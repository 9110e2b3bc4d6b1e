import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { Http } from '../../../runtime/core/ports.ts'
import { pagesFor, recordsFor } from '../../../src/app/navigation/palette.ts'

const entry = (title: string, slot: readonly string[], hide = 0): JsonObject => ({
  id: title,
  title,
  path: `/pages/${title}`,
  icon: '',
  hide,
  slot,
})
const user = {
  authorities: [
    entry('客户管理', ['common']),
    entry('新建客户', ['shortcut']),
    entry('客户公海', ['common'], 1),
  ],
}
const home = { path: '/', title: '首页', note: '' }

describe('pages in the palette', () => {
  it('are the menu entries, including pages that create records, whose titles contain the words', () => {
    expect(pagesFor(user, ' 客户 ', [home]).map(({ title }) => title)).toEqual(['客户管理', '新建客户'])
    expect(pagesFor(user, '', [home])[0]).toEqual(home)
  })
})

describe('records in the palette', () => {
  it('are the search results with their type, whatever they link to', async () => {
    const { http, urls } = answering({
      data: {
        groups: [
          { title: '客户', list: [{ route: '/c?id=1', title: '甲公司', kind: '客户', sub: 'KH1' }] },
          {
            title: '线索',
            list: [{ route: '/l?id=2', title: '乙', kind: '线索', sub: null }, { title: '无' }],
          },
        ],
      },
    })

    expect(await recordsFor(http, ' 甲& ')).toEqual([
      { path: '/c?id=1', title: '甲公司', note: '客户 · KH1' },
      { path: '/l?id=2', title: '乙', note: '线索' },
    ])
    expect(urls).toEqual(['/mini/search/global?keyword=%E7%94%B2%26'])
  })

  it('are not requested for a single character, and are empty for an empty answer', async () => {
    const { http, urls } = answering({ data: null })

    expect(await recordsFor(http, '甲')).toEqual([])
    expect(await recordsFor(http, '甲乙')).toEqual([])
    expect(urls).toHaveLength(1)
  })
})

function answering(data: Json) {
  const urls: string[] = []
  const http: Http = {
    async send({ url }) {
      urls.push(url)
      return { ok: true, value: { status: 200, headers: {}, data } }
    },
    upload: () => Promise.reject(new Error('nothing is uploaded')),
  }
  return { http, urls }
}
