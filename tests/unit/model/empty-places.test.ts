import { expect, it } from 'vitest'
import { fillText } from '../../../runtime/core/text/template.ts'
import type { Field } from '../../../src/model/description.ts'
import { KIND_NAMES, kindOf } from '../../../src/model/kinds/index.ts'
import { aScope } from '../../support/a-scope.ts'

it.each(KIND_NAMES)('a field of kind %s says nothing while it is empty', (kind) => {
  const field: Field = { name: 'one', kind, label: '一项' }
  const services = { now: 0, dict: {}, text: (code: string) => code }

  expect(
    fillText(
      kindOf(kind).place('data.record.one', field),
      aScope({ data: { record: { one: null } } }),
      services,
    ),
  ).toBe('')
})
