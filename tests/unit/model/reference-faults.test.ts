import { expect, it } from 'vitest'
import type { Field } from '../../../src/model/description.ts'
import { kindOf } from '../../../src/model/kinds/index.ts'

const customer = {
  name: 'customer_id',
  kind: 'ref',
  label: '客户',
  module: 'customer',
} as const satisfies Field
const helpers = { name: 'helpers', kind: 'users', label: '协作人', most: 2 } as const satisfies Field

it('a name that stands for no record is named as such, one or among several', () => {
  expect(kindOf('ref').fault(customer, '没有这家公司')).toEqual({
    code: 'record.not-found',
    places: { name: '没有这家公司' },
  })
  expect(kindOf('users').fault(helpers, ['u-demo', '张三', '李四'])).toEqual({
    code: 'record.not-found',
    places: { name: '张三、李四' },
  })
})

it('too many, and what is no name, are told as before', () => {
  expect(kindOf('users').fault(helpers, ['a', 'b', 'c'])).toEqual({
    code: 'record.most',
    places: { most: 2 },
  })
  expect(kindOf('ref').fault(customer, 7)).toEqual({ code: 'record.format' })
})
