import { describe, expect, it } from 'vitest'
import type { MergedModule } from '../../../../src/model/merge-module.ts'
import type { Caller } from '../../../../src/server/kernel/auth/caller.ts'
import { isPooled, masksOfOwn } from '../../../../src/server/kernel/visibility/own-module.ts'

const MODULE = {
  name: 'visit',
  origin: 'tenant',
  behaviours: ['owned', 'pool'],
  fields: [
    { name: 'mobile', mask: 'pool' },
    { name: 'wechat', mask: 'pool' },
    { name: 'title' },
    { name: 'remark' },
  ],
} as unknown as MergedModule
const POOLED = { owner_id: null }
const HELD = { owner_id: 'u1' }

describe('a record of an own module', () => {
  it('lies in a pool while it has no owner, if its module has pools', () => {
    expect([POOLED, HELD].map((row) => isPooled(MODULE, row))).toEqual([true, false])
    expect([POOLED, HELD].map((row) => isPooled({ ...MODULE, behaviours: ['owned'] }, row))).toEqual([
      false,
      false,
    ])
  })

  it('masks the fields that its module declares in a pool, and everywhere those that the caller’s roles declare', () => {
    const masks = masksOfOwn(
      { fieldRights: { 'm.visit': { title: 'masked', wechat: 'hidden' } } } as unknown as Caller,
      MODULE,
    )
    const told = (row: typeof HELD | typeof POOLED) => {
      const { masked, hidden } = masks(row)
      return [[...masked].sort(), [...hidden].sort()]
    }
    expect(told(HELD)).toEqual([['title'], ['wechat']])
    expect(told(POOLED)).toEqual([['mobile', 'title', 'wechat'], ['wechat']])
  })
})
