import { describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import type { Field } from '../../../src/model/description.ts'
import { readRecord } from '../../../src/model/read-record.ts'
import { faultTexts } from '../../../src/server/kernel/fields/field-faults.ts'

const said = (raw: Json, field: Partial<Field>): string | undefined => {
  const fields: readonly Field[] = [{ name: 'n', kind: 'number', label: '数量', ...field }]
  return faultTexts(readRecord({ n: raw }, fields, false).faults, fields).n
}

describe('a number that its field does not take', () => {
  it.each<[Json, Partial<Field>, string | undefined]>([
    [-1, { min: 0 }, '数量不能小于 0'],
    [11, { max: 10 }, '数量不能大于 10'],
    [1.234, {}, '数量最多 2 位小数'],
    [1.2345, { decimals: 3 }, '数量最多 3 位小数'],
    [1.5, { kind: 'integer' }, '数量须为整数'],
    [101, { kind: 'percent' }, '数量不能大于 100'],
    [10_000_000_000, { kind: 'money' }, '数量不能大于 9999999999.99'],
    ['十', {}, '数量格式不正确'],
    [1.23, { min: 0, max: 10 }, undefined],
    [1.23456789, { decimals: 6 }, undefined],
  ])('%s, %o', (raw, field, sentence) => {
    expect(said(raw, field)).toBe(sentence)
  })

  it('is told with its row', () => {
    const row: Partial<Field> = {
      kind: 'lines',
      label: '明细',
      fields: [{ name: 'q', kind: 'number', label: '数量', min: 1 }],
    }
    expect(said([{ q: 2 }, { q: 0 }], row)).toBe('明细第 2 行的数量不能小于 1')
  })
})
