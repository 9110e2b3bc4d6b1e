import { describe, expect, it } from 'vitest'
import { INVALID } from '../../../src/model/kind.ts'
import { readText } from '../../../src/model/kinds/text.ts'

describe('the text of a field', () => {
  it.each([
    [' 星海 ', '星海'],
    ['', null],
    [' \t\n', null],
    ['\u200b\u200b', null],
    ['\u2060\u3164\ufeff', null],
    ['\u202d13800138000\u202c', '13800138000'],
    ['\u202eevil', 'evil'],
    ['👨‍👩‍👧', '👨‍👩‍👧'],
    ['a\u0000', INVALID],
    ['12345678901', '12345678901'],
    ['123456789012', INVALID],
    [5, INVALID],
  ])('%j is %j', (raw, read) => {
    expect(readText(raw, 0, 11)).toBe(read)
  })
})
