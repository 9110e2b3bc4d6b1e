import { expect, it } from 'vitest'
import type { Field } from '../../../src/model/description.ts'
import { kindOf } from '../../../src/model/kinds/index.ts'

const ITEMS: Field = {
  name: 'items',
  kind: 'lines',
  label: '费用明细',
  fields: [
    { name: 'day', kind: 'day', label: '日期' },
    { name: 'amount', kind: 'money', label: '金额' },
    { name: 'rate', kind: 'percent', label: '税率' },
    { name: 'remark', kind: 'text', label: '说明' },
  ],
}

it('a row says its amounts as all other places do', () => {
  const words = { labelOf: () => undefined, regionOf: () => '', yes: '是', no: '否' }
  const said = kindOf('lines').write(
    [{ day: '2026-11-15', amount: 1126.5, rate: 6, remark: '高铁' }, { amount: 0 }],
    ITEMS,
    words,
  )

  expect(said).toBe('2026-11-15 · ¥1,126.50 · 6% · 高铁\n¥0.00')
})
