import { describe, expect, it } from 'vitest'
import { actionWords } from '../../../../src/server/kernel/records/action-words.ts'

const NOTHING = { modules: new Map() }

describe('what was done, in words', () => {
  it.each([
    ['customer:edit', '编辑客户'],
    ['customer:import', '导入客户'],
    ['customer:export', '导出客户'],
    ['contract:import', '导入合同'],
    ['lead_pool:import', '导入线索到线索池'],
  ])('says %s as %s', (action, words) => {
    expect(actionWords(action, NOTHING)).toBe(words)
  })

  it('leaves what nobody has words for as it is', () => {
    expect(actionWords('orbit:launch', NOTHING)).toBe('orbit:launch')
  })
})
