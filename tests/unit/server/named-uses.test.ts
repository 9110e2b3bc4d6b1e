import { expect, it } from 'vitest'
import { namedUses } from '../../../src/server/kernel/approvals/value-naming.ts'

const rule = (label: string) => ({ kind: 'rule', label }) as const

it('names up to three uses', () => {
  expect(namedUses([rule('甲'), { kind: 'flow', label: '合同' }, rule('乙')])).toBe(
    '规则“甲”、审批流“合同”、规则“乙”',
  )
})

it('says how many there are besides the first three', () => {
  expect(namedUses(['甲', '乙', '丙', '丁', '戊'].map(rule))).toBe('规则“甲”、规则“乙”、规则“丙”等 5 处')
})

it('names what sounds the same once', () => {
  expect(namedUses(['甲', '甲', '甲', '乙'].map(rule))).toBe('规则“甲”、规则“乙”')
})
