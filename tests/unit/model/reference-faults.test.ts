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

it('a name without a record is reported by name, in a single and in a multiple reference', () => {
  expect(kindOf('ref').fault(customer, '没有这家公司')).toEqual({
    code: 'record.not-found',
    places: { name: '没有这家公司' },
  })
  expect(kindOf('users').fault(helpers, ['u-demo', '张三', '李四'])).toEqual({
    code: 'record.not-found',
    places: { name: '张三、李四' },
  })
})

it('too many names, and invalid names, are reported', () => {
  expect(kindOf('users').fault(helpers, ['a', 'b', 'c'])).toEqual({
    code: 'record.most',
    places: { most: 2 },
  })
  expect(kindOf('ref').fault(customer, 7)).toEqual({ code: 'record.format' })
})

it('a list reports its fault: too many values, a value too long, or a value that is not offered', () => {
  const words = { name: 'words', kind: 'texts', label: '对手', most: 2, max: 4 } as const satisfies Field
  const tags = {
    name: 'tags',
    kind: 'choices',
    label: '标签',
    options: [{ value: 'a', label: '甲' }],
  } as const satisfies Field
  expect(kindOf('texts').fault(words, ['一', '二', '三'])).toEqual({
    code: 'record.most',
    places: { most: 2 },
  })
  expect(kindOf('texts').fault(words, ['五个字太长'])).toEqual({
    code: 'record.length-each',
    places: { max: 4 },
  })
  expect(kindOf('choices').fault(tags, ['b'])).toEqual({ code: 'record.not-offered' })
  expect(kindOf('choices').fault(tags, Array(11).fill('a'))).toEqual({
    code: 'record.most',
    places: { most: 10 },
  })
})

it('files report too many of them, and one that was not uploaded here', () => {
  const papers = { name: 'papers', kind: 'files', label: '附件', most: 1 } as const satisfies Field
  const foreign = { name: 'a.png', url: '//evil.example/x', size: 1, ext: 'png' }
  expect(kindOf('files').fault(papers, [foreign])).toEqual({ code: 'record.foreign-file' })
  expect(kindOf('files').fault(papers, [foreign, foreign])).toEqual({
    code: 'record.most',
    places: { most: 1 },
  })
  expect(kindOf('files').fault(papers, 'a.png')).toEqual({ code: 'record.format' })
})
