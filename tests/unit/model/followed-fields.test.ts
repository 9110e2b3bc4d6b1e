import { describe, expect, it } from 'vitest'
import { rightsEntity } from '../../../src/model/field-rights.ts'
import { followingFrom, maskedInPools, sourcesOf } from '../../../src/model/followed-fields.ts'
import type { MergedModule } from '../../../src/model/merge-module.ts'
import { type FieldRights, withFollowing } from '../../../src/server/kernel/auth/field-rights.ts'

const moduleOf = (origin: 'vendor' | 'tenant', fields: readonly object[]): MergedModule =>
  ({
    name: 'deal',
    title: 'title',
    origin,
    behaviours: ['pool'],
    fields: fields.map((field) => ({ origin: 'tenant', ...field })),
  }) as unknown as MergedModule

const OWN = moduleOf('tenant', [
  { name: 'title', worked: { cat: [{ var: 'price' }] } },
  { name: 'price', mask: 'pool' },
  { name: 'n' },
  { name: 'owner', kind: 'user' },
  { name: 'total', worked: { '*': [{ var: 'form.price' }, { var: 'n' }] } },
  { name: 'half', formula: { '/': [{ var: 'total' }, 2] } },
  { name: 'greeting', formula: { cat: [{ var: 'owner_name' }, { var: 'user.name' }] } },
])

describe('what computed fields follow from', () => {
  it('includes what they read through each other, and the field behind a text', () => {
    const told = Object.fromEntries([...sourcesOf(OWN)].map(([name, read]) => [name, [...read].sort()]))

    expect(told).toEqual({
      total: ['n', 'price'],
      half: ['n', 'price', 'total'],
      greeting: ['owner', 'owner_id', 'owner_ids', 'owner_name'],
    })
    expect(followingFrom(OWN, new Set(['n']))).toEqual(['total', 'half'])
    expect([...maskedInPools(OWN)]).toEqual(['price', 'total', 'half'])
  })

  it('is named as roles name it in a module of the product, and ends in a ring', () => {
    const module = moduleOf('vendor', [
      { name: 'amount', origin: 'vendor' },
      { name: 'price' },
      { name: 'one', formula: { '+': [{ var: 'ext.price' }, { var: 'amount' }, { var: 'ext_two' }] } },
      { name: 'two', formula: { '+': [{ var: 'one' }, 1] } },
    ])

    expect([...(sourcesOf(module).get('ext.two') ?? [])].sort()).toEqual([
      'amount',
      'ext.one',
      'ext.price',
      'ext.two',
    ])
  })
})

describe('rights to fields', () => {
  const modules = new Map([['deal', OWN]])

  it('extend to what follows from a field that is not seen, by the narrowest', () => {
    const rights = {
      'm.deal': { price: 'masked', n: 'hidden', owner: 'read' },
      customer: { level: 'hidden' },
    } as const

    expect(withFollowing(rights, modules)).toEqual({
      ...rights,
      'm.deal': { ...rights['m.deal'], total: 'hidden', half: 'hidden' },
    })
    expect(withFollowing({ 'm.deal': { price: 'masked', half: 'read' } }, modules)['m.deal']).toEqual({
      price: 'masked',
      total: 'masked',
      half: 'masked',
    })
  })

  it('stay as they are where nothing follows from them', () => {
    const rights = { 'm.deal': { owner: 'read' } } as const

    expect(withFollowing(rights, modules)).toBe(rights)
  })
})

describe('what tells of a sum', () => {
  const sold = (origin: 'vendor' | 'tenant') =>
    moduleOf(origin, [
      { name: 'lines', kind: 'lines' },
      { name: 'notes', kind: 'lines' },
      { name: 'rate', kind: 'percent' },
      { name: 'margin', kind: 'percent' },
      { name: 'net', kind: 'money', worked: { reduce: [{ var: 'lines' }, { var: 'current.amount' }, 0] } },
      { name: 'amount', kind: 'money', worked: { '*': [{ var: 'net' }, { var: 'rate' }] } },
      { name: 'share', kind: 'money', worked: { '*': [{ var: 'fee' }, { var: 'margin' }] } },
      { name: 'fee', kind: 'money' },
    ])
  const extended = (rights: FieldRights[string], module = sold('tenant')) =>
    withFollowing({ [rightsEntity(module)]: rights }, new Map([['deal', module]]))[rightsEntity(module)]

  it('is as little seen: lines, rates, and what else these are worked out to', () => {
    const unseen = { lines: 'hidden', rate: 'hidden', net: 'hidden', amount: 'hidden' }
    expect(extended({ amount: 'hidden' })).toEqual(unseen)
    expect(extended({ amount: 'masked', lines: 'read', rate: 'hidden' })).toEqual({
      amount: 'hidden',
      lines: 'masked',
      rate: 'hidden',
      net: 'masked',
    })
    // Only lines add up to this one.
    expect(extended({ net: 'masked' })).toEqual({ net: 'masked', lines: 'masked', amount: 'masked' })
  })

  it('stays with a sum that is seen, and without lines', () => {
    for (const rights of [{ amount: 'read' }, { notes: 'hidden' }, { share: 'hidden' }] as const)
      expect(extended(rights)).toEqual(rights)
    expect(extended({ rate: 'hidden' })).toEqual({ rate: 'hidden', amount: 'hidden' })
  })

  it('is masked in pools with it', () => {
    const { fields, ...rest } = sold('tenant')
    const pooled = {
      ...rest,
      fields: fields.map((one) => (one.name === 'amount' ? { ...one, mask: 'pool' } : one)),
    }
    expect([...maskedInPools(pooled as MergedModule)].sort()).toEqual(['amount', 'lines', 'net', 'rate'])
  })
})
