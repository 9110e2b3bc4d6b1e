import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { aDocument, aWidget } from '../../support/a-page.ts'
import { type OpenStage, openStage, type StagePhone } from '../stage/open-stage.ts'
import { standingOut } from './looks.ts'

let stage: OpenStage
let phone: StagePhone
beforeAll(async () => {
  stage = await openStage()
  phone = await stage.phone()
})
afterAll(() => stage.close())

const MOST = '¥9,999,999,999.99'
const LIST = '/mini/contract/list'

describe('a table of a list', () => {
  const long = '上海市华丰医疗器械有限公司数据看板与移动办公一体化项目'
  const row = (id: string, amount: number): JsonObject => ({
    id,
    name: long,
    customer: long,
    amount,
    count: 1_234_567,
    owner: '李明轩',
  })
  const columns: Json = [
    { name: 'name', label: '合同', text: '{{ row.name }}', primary: true, width: 260 },
    { name: 'customer', label: '客户', text: '{{ row.customer }}', width: 190 },
    { name: 'amount', label: '金额', text: '{{ row.amount | money }}', width: 110, align: 'end' },
    { name: 'count', label: '数量', text: '{{ row.count | number:0 }}', width: 64, align: 'end' },
    { name: 'owner', label: '负责人', text: '{{ row.owner }}', width: 100 },
    { name: 'type', label: '类型', text: '直销合同', width: 120 },
    { name: 'status', label: '状态', text: '审批中', width: 100 },
    { name: 'product', label: '产品', text: '{{ row.name }}', width: 360 },
  ]
  const document = aDocument(
    [
      aWidget(
        'list',
        'rows',
        { label: '', dsName: 'rows', columns },
        {
          category: 'container',
          widgetList: [aWidget('static-text', 'title', { textContent: '{{ row.name }}' })],
        },
      ),
    ],
    {
      dataSources: [
        {
          uniqueName: 'rows',
          requestURL: LIST,
          requestMethod: 'post',
          paging: { items: 'list', cursor: 'cursor', next: 'nextCursor' },
        },
      ],
    },
  )

  it.each([1440, 1100])(
    'shows numbers whole at %d px, below their heads, and texts give way',
    async (width) => {
      await phone.page.setViewportSize({ width, height: 900 })
      const list = [row('a', 12), row('b', 9_999_999_999.99), row('c', 81_200)]
      await phone.show(document, { answers: { [LIST]: [{ list, nextCursor: null }] } })
      const amounts = phone.page.locator('.vf-record:not(.vf-record-heads) > .vf-record-end')
      await phone.page.getByText(MOST, { exact: true }).waitFor()

      const cut = await amounts.evaluateAll((cells) =>
        cells.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent),
      )
      expect(await amounts.count()).toBeGreaterThan(2)
      expect(cut).toEqual([])
      const ends = await phone.page
        .locator('.vf-record > .vf-record-end:not(.vf-record-end ~ .vf-record-end)')
        .evaluateAll((cells) => cells.map((it) => Math.round(it.getBoundingClientRect().right)))
      expect(new Set(ends).size).toBe(1)
      expect(await standingOut(phone.page)).toEqual([])
      await phone.page.setViewportSize({ width: 390, height: 844 })
    },
  )
})
