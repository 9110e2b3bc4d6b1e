import { describe, expect, it } from 'vitest'
import type { Field } from '../../../src/model/description.ts'
import { readRecord } from '../../../src/model/read-record.ts'

const field = (pattern: string): Field => ({ name: 'code', kind: 'text', label: '编码', max: 500, pattern })
const faultOf = (pattern: string, code: string) =>
  readRecord({ code }, [field(pattern)], true).faults.get('code')

describe('the pattern of a field', () => {
  it('reports a timeout as its own fault, not the value’s', () => {
    expect(faultOf('^(a|aa)+(b|a)*(a|b|aa)*c$', 'a'.repeat(490))).toEqual({ code: 'record.too-slow' })
  })

  it('reports a mismatch as a fault of the value', () => {
    expect(faultOf('^\\d+$', 'abc')).toEqual({ code: 'record.format' })
  })
})
