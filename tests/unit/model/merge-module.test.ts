import { describe, expect, it } from 'vitest'
import type { ModuleDescription } from '../../../src/model/description.ts'
import { asMerged, differenceProblems, groupsOf, mergeModule } from '../../../src/model/merge-module.ts'

const CUSTOMER: ModuleDescription = {
  name: 'customer',
  label: '客户',
  title: 'name',
  behaviours: ['owned'],
  fields: [
    { name: 'name', kind: 'text', label: '名称', required: true },
    { name: 'level', kind: 'choice', label: '级别', dict: 'customer_level' },
  ],
  groups: [
    { name: 'basic', label: '客户', fields: ['name'] },
    { name: 'more', label: '其他', fields: ['level'] },
  ],
}

describe('a tenant’s changes of a vendor’s module', () => {
  it('add fields after the vendor’s, and mark the origin of each', () => {
    const merged = mergeModule(CUSTOMER, {
      name: 'customer',
      fields: [{ name: 'group', kind: 'text', label: '微信群', filter: true }],
    })

    expect(merged.fields.map(({ name, origin }) => `${name}:${origin}`)).toEqual([
      'name:vendor',
      'level:vendor',
      'group:tenant',
    ])
    expect(merged.groups?.[0]?.fields).toEqual(['name', 'group'])
  })

  it('change only attributes that a tenant may change', () => {
    const merged = mergeModule(CUSTOMER, {
      name: 'customer',
      fields: [{ name: 'level', label: '会员等级', required: true, kind: 'text', dict: 'other' }],
    })

    expect(merged.fields[1]).toEqual({
      name: 'level',
      kind: 'choice',
      label: '会员等级',
      dict: 'customer_level',
      required: true,
      origin: 'vendor',
      changed: true,
    })
  })

  it('replace a group by its name and can add another group', () => {
    const merged = mergeModule(CUSTOMER, {
      name: 'customer',
      groups: [
        { name: 'more', label: '更多', fields: ['name'] },
        { name: 'own', label: '我们的', fields: ['level'] },
      ],
    })

    expect(merged.groups).toEqual([
      { name: 'basic', label: '客户', fields: ['name'] },
      { name: 'more', label: '更多', fields: [] },
      { name: 'own', label: '我们的', fields: ['level'] },
    ])
  })

  it('do not affect other parts of the vendor’s module', () => {
    expect(mergeModule(CUSTOMER, { name: 'customer' })).toEqual(asMerged(CUSTOMER, 'vendor'))
  })

  it.each([
    ['a key nobody knows', { feilds: [] }, 'KEY_UNKNOWN at /feilds'],
    ['another kind', { fields: [{ name: 'level', kind: 'text' }] }, 'VALUE_INVALID at /fields/0/kind'],
    [
      'a needed field that is retired',
      { fields: [{ name: 'name', retired: true }] },
      'VALUE_INVALID at /fields/0',
    ],
    [
      'a needed field that is not',
      { fields: [{ name: 'name', required: false }] },
      'VALUE_INVALID at /fields/0',
    ],
    [
      'a faulty field of its own',
      { fields: [{ name: 'x', kind: 'choice', label: 'X' }] },
      'KEY_MISSING at /fields/0',
    ],
    [
      'more fields than a tenant may add',
      { fields: Array.from({ length: 201 }, (_, i) => ({ name: `f${i}`, kind: 'text', label: `F${i}` })) },
      'VALUE_INVALID at /fields: 201 own fields',
    ],
  ])('are refused with %s', (_, difference, said) => {
    const problems = differenceProblems(CUSTOMER, { name: 'customer', ...difference })

    expect(problems.map(({ code, at, message }) => `${code} at ${at}: ${message}`).join('\n')).toContain(said)
  })
})

it('keep every field in exactly one group', () => {
  const groups = groupsOf({
    fields: CUSTOMER.fields,
    groups: [
      { name: 'a', label: 'A', fields: ['gone'] },
      { name: 'b', label: 'B', fields: ['level', 'level'] },
      { name: 'c', label: 'C', fields: ['level'] },
    ],
  })

  expect(groups.map(({ fields }) => fields)).toEqual([['name'], ['level'], []])
})

it('a tenant’s changes of more fields than there may be are told this, and nothing else of them', () => {
  const rings = (n: number) =>
    Array.from({ length: n }, (_, i) => ({
      name: `c${i}`,
      kind: 'formula',
      label: `C${i}`,
      formula: { var: `ext_c${(i + 1) % n}` },
    }))
  const repeated = Array.from({ length: 9000 }, () => ({ name: 'level', lable: '级别' }))

  for (const fields of [rings(9000), repeated])
    expect(differenceProblems(CUSTOMER, { name: 'customer', fields })).toMatchObject([
      { code: 'VALUE_INVALID', at: '/fields' },
    ])
})
