import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const { server, admin, save, make } = await openOwnTenant()
afterAll(() => server.close())

const OPTIONS = [
  { value: 'a', label: '一级' },
  { value: 'b', label: '二级' },
]
const LEVEL: JsonObject = { name: 'level', kind: 'choice', label: '级别', options: OPTIONS }
const PART: JsonObject = { name: 'part', kind: 'text', label: '配件', max: 10 }
const parts = (...fields: readonly JsonObject[]): JsonObject => ({
  name: 'parts',
  kind: 'lines',
  label: '配件明细',
  fields: [...fields],
})
const NOTE: JsonObject = { name: 'note', kind: 'text', label: '备注', max: 20, pattern: '.*' }
const COUNT: JsonObject = { name: 'count', kind: 'number', label: '数量', min: 1, max: 100, decimals: 2 }
const TAGS: JsonObject = { name: 'tags', kind: 'texts', label: '标签', most: 3 }
const SPARE: JsonObject = { name: 'spare', kind: 'text', label: '备用' }
const FIELDS = [parts(PART, LEVEL, SPARE), NOTE, COUNT, TAGS]

beforeAll(async () => {
  await save(aModule({ fields: FIELDS }))
  const held = { note: '一二三四五六', count: 50.25, tags: ['甲', '乙'] }
  await make(admin, 'ticket', { title: '一', ...held, parts: [{ part: '轴承座盖', level: 'a' }] })
  const gone = await make(admin, 'ticket', { title: '二', ...held, parts: [{ part: '螺丝', level: 'a' }] })
  await admin.post('/mini/m/ticket/delete', { ids: [gone] })
})

/** What a save with that field instead says. */
const change = async (field: JsonObject) => {
  const fields = FIELDS.map((one) => (one.name === field.name ? field : one))
  const { meta } = await admin.post('/engine/web/module/save', { description: aModule({ fields }) })
  return meta.error?.type === 'REFERENCED'
    ? [meta.message, ...Object.keys(meta.error.fields ?? {})]
    : meta.code
}
const option = (n: number) =>
  `有 ${n} 条记录选了“一级”（含回收站），不能删除这个选项或改它的代码。请先把这些记录改成别的选项`
const beyond = (n: number, label: string, value: string) =>
  `有 ${n} 条记录的“${label}”（含回收站）超出新的范围，例如“${value}”。请先改好这些记录`

describe('what records hold', () => {
  it.each<[string, JsonObject, readonly string[]]>([
    ['an option in rows', parts(PART, { ...LEVEL, options: OPTIONS.slice(1) }, SPARE), [option(2), 'rows']],
    ['the length of a text', { ...NOTE, max: 5 }, [beyond(2, '备注', '一二三四五六'), 'max']],
    ['the largest number', { ...COUNT, max: 50 }, [beyond(2, '数量', '50.25'), 'max']],
    ['the smallest number', { ...COUNT, min: 51 }, [beyond(2, '数量', '50.25'), 'min']],
    ['the decimals of a number', { ...COUNT, decimals: 1 }, [beyond(2, '数量', '50.25'), 'decimals']],
    ['the number of texts', { ...TAGS, most: 1 }, [beyond(2, '标签', '甲、乙'), 'most']],
    [
      'the length of a text in rows',
      parts({ ...PART, max: 3 }, LEVEL),
      [beyond(1, '配件明细', '轴承座盖 · 一级'), 'rows'],
    ],
    [
      'a column of rows',
      parts(PART),
      ['有 2 条记录填写了“级别”列（含回收站），不能删除这一列。请改为停用：内容保留，不再填写', 'rows'],
    ],
    [
      'the kind of a column',
      parts({ name: 'part', kind: 'integer', label: '配件' }, LEVEL),
      [beyond(2, '配件明细', '螺丝 · 一级'), 'rows'],
    ],
  ])('is not put beyond what its field takes: %s', async (_, field, said) => {
    expect(await change(field)).toEqual(said)
  })

  it.each<[string, JsonObject]>([
    ['an option that no row holds', parts(PART, { ...LEVEL, options: OPTIONS.slice(0, 1) })],
    ['a length that all have', { ...NOTE, max: 6 }],
    ['a number of texts that all have', { ...TAGS, most: 2 }],
    ['a column that no row holds', parts(PART, LEVEL)],
    ['a column that is stopped', parts(PART, { ...LEVEL, retired: true })],
    ['wider bounds', { ...COUNT, min: 0, max: 1000 }],
  ])('is left alone by %s', async (_, field) => {
    expect(await change(field)).toBe(200)
    await save(aModule({ fields: FIELDS }))
  })
})
