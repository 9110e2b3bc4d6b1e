import { describe, expect, it } from 'vitest'
import { guessFields } from '../../../src/model/guess-fields.ts'

const kindOf = (title: string, ...cells: string[]) =>
  guessFields(
    [title],
    cells.map((cell) => [cell]),
  )[0]?.kind

describe('fields guessed from a sheet', () => {
  it.each([
    ['联系电话', ['13800138000', '021-66668888'], 'phone'],
    ['到期', ['2026/3/5', '2026年4月1日'], 'day'],
    ['登记', ['2026-03-05 09:30', '2026-03-06 10:00'], 'moment'],
    ['数量', ['3', '12'], 'integer'],
    ['金额', ['1,200.50', '30'], 'money'],
    ['折扣', ['95%', '80%'], 'percent'],
    ['在保', ['是', '否', '是'], 'flag'],
    ['主页', ['https://a.cn'], 'url'],
    ['网址', ['https://a.com', 'www.b.cn/x'], 'url'],
    ['域名', ['a.com', 'b.cn'], 'text'],
    ['结果', ['正常', '正常', '维修', '正常'], 'choice'],
    ['工号', ['0012', '0013'], 'text'],
    ['税号', ['91310000123456789012'], 'text'],
    ['情况', ['机房空调外机噪声较大'.repeat(8)], 'long-text'],
    ['日期', ['下周', '月底'], 'text'],
  ])('recognise %s %j as %s', (title, cells, kind) => {
    expect(kindOf(title, ...cells)).toBe(kind)
  })

  it('omit columns without a title and repeated titles', () => {
    expect(
      guessFields(['名称', '', '名称', '备注*'], []).map(({ label, required }) => [label, required]),
    ).toEqual([
      ['名称', false],
      ['备注', true],
    ])
  })

  it('include the values of a choice', () => {
    const rows = ['甲', '乙', '甲', '乙'].map((one) => [one])

    expect(guessFields(['类'], rows)[0]?.options).toEqual(['甲', '乙'])
  })
})
