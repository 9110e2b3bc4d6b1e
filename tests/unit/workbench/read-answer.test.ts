import { expect, it } from 'vitest'
import { roleIn } from '../../../src/workbench/read-answer.ts'

it('a role is previewed with the rights that its people have: those it is given, and what follows from them', () => {
  const role = roleIn({
    id: 'r1',
    name: '销售',
    permissions: ['customer:view'],
    field_rights: { 'm.deal': { price: 'hidden' } },
    shown_rights: { 'm.deal': { price: 'hidden', total: 'hidden' } },
  })

  expect(role).toMatchObject({ id: 'r1', name: '销售', permissions: ['customer:view'] })
  expect(JSON.stringify(role.fieldRights)).toContain('total')
})
