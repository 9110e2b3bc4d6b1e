import { expect, it } from 'vitest'
import type { Field } from '../../../src/model/description.ts'
import { asMerged } from '../../../src/model/merge-module.ts'
import { rollupProblems } from '../../../src/model/rollups.ts'

const module = (name: string, label: string, fields: readonly Field[]) =>
  asMerged({ name, label, title: 'title', behaviours: [], fields }, 'tenant')
const visit = (...fields: Field[]) => [
  module('shop', '门店', [{ name: 'title', kind: 'text', label: '名称' }]),
  module('visit', '拜访', [{ name: 'title', kind: 'text', label: '主题' }, ...fields]),
]
const SHOP: Field = { name: 'shop_id', kind: 'ref', module: 'shop', label: '门店' }
const hints = (fields: readonly Field[]) => {
  const rollup = { module: 'visit', by: 'shop_id', of: 'sum', field: 'cost' }
  return rollupProblems(
    { name: 'shop', fields: [{ name: 'costs', kind: 'rollup', label: '费用', rollup }] },
    undefined,
    new Map(visit(...fields).map((one) => [one.name, one])),
  ).map(({ hint }) => hint)
}

it('a rollup of a field that is not there says what can be chosen, or that nothing can and why', () => {
  expect(hints([SHOP, { name: 'costs', kind: 'money', label: '费用' }])).toEqual(['did you mean "costs"?'])
  expect(hints([SHOP])).toEqual(['"拜访" has no field that "sum" can be worked out of'])
  expect(hints([])).toEqual(['"拜访" has no field that names it'])
})
