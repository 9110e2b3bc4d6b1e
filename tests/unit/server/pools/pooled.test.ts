import { describe, expect, it } from 'vitest'
import type { CallContext } from '../../../../src/server/kernel/context/call-context.ts'
import { isPoolAdmin, type Pool } from '../../../../src/server/kernel/pools/pool.ts'
import {
  isOwnPool,
  messageSubject,
  moduleOf,
  pooledLabel,
  poolRight,
} from '../../../../src/server/kernel/pools/pooled.ts'

describe('the entity of a pool', () => {
  const model = {
    modules: new Map([['visit', { label: { 'zh-Hans': '拜访', en: 'Visit' } }]]),
  } as unknown as CallContext['model']

  it('is a module of the product or an own module', () => {
    expect([isOwnPool('customer'), isOwnPool('m.visit'), moduleOf('m.visit')]).toEqual([false, true, 'visit'])
  })

  it('is named by the common name of its records', () => {
    expect(
      ['customer', 'lead', 'bussiness', 'm.visit', 'm.gone'].map((entity) =>
        pooledLabel(entity as 'lead', { model }),
      ),
    ).toEqual(['客户', '线索', '商机', '拜访', ''])
  })

  it('is announced with its screen, and an own module with its own names', () => {
    expect(messageSubject('lead', ['a', 'b'], '线索')).toEqual({
      about: { entity: 'lead', ids: ['a', 'b'] },
      words: {},
    })
    expect(messageSubject('m.visit', ['a'], '拜访')).toMatchObject({
      about: { entity: 'record', ids: ['a'], link: { query: { id: 'a' } } },
      words: { what: '拜访' },
    })
  })

  it('needs a right for each action, under other names for own modules', () => {
    const actions = ['view', 'claim', 'assign', 'force', 'del'] as const
    expect(actions.map((action) => poolRight('lead', action))).toEqual(
      actions.map((action) => `lead_pool:${action}`),
    )
    expect(actions.map((action) => poolRight('m.visit', action))).toEqual(
      ['pool', 'claim', 'assign', 'force', 'del'].map((action) => `m.visit:${action}`),
    )
  })

  it('is administered by the named users, and by users who manage pools', () => {
    const pool = { admin_user_ids: ['u1', 'u2'] } as unknown as Pool
    const by = (userId: string, ...permissions: string[]) =>
      isPoolAdmin(pool, { caller: { userId, permissions: new Set(permissions) } } as unknown as CallContext)
    expect([by('u2'), by('u3'), by('u3', 'system:pool'), by('u3', 'system:role')]).toEqual([
      true,
      false,
      true,
      false,
    ])
  })
})
