import { describe, expect, it } from 'vitest'
import { followingFrom, maskedInPools, sourcesOf } from '../../../src/model/followed-fields.ts'
import type { MergedModule } from '../../../src/model/merge-module.ts'
import { withFollowing } from '../../../src/server/kernel/auth/field-rights.ts'

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
