import { expect, it } from 'vitest'
import { fateOf } from '../../../../runtime/core/engine/three-way.ts'
import type { Json } from '../../../../runtime/core/json.ts'

const row = (product: string, count: number, more: object = {}): Json => ({ product, count, ...more })

it.each<[string, ReturnType<typeof fateOf>, Json | undefined, Json | undefined, Json | undefined]>([
  ['nobody changed', 'keep', '甲', '甲', '甲'],
  ['only this user changed', 'keep', '甲', '乙', '甲'],
  ['only the other user changed', 'take', '甲', '甲', '丙'],
  ['both changed alike', 'keep', '甲', '乙', '乙'],
  ['both changed differently', 'ask', '甲', '乙', '丙'],
  ['this user emptied and the other changed', 'ask', '甲', '', '丙'],
  ['this user changed and the other emptied', 'ask', '甲', '乙', null],
  ['both emptied, written differently', 'keep', '甲', '', null],
  ['only the other user emptied', 'take', '甲', '甲', null],
  ['only the other user filled in, and the form shows an empty text', 'take', null, '', '丙'],
  ['only the other user filled in, and the record did not have it', 'take', undefined, '', '丙'],
  [
    'only this user filled in, and the record has it empty instead of not at all',
    'keep',
    undefined,
    '乙',
    null,
  ],
  ['both filled in', 'ask', undefined, '乙', '丙'],
  ['the other user switched on', 'take', null, false, true],
  ['the other user wrote a zero', 'take', null, null, 0],
  ['a zero of this user is a value', 'ask', null, 0, 5],
  ['only the other user chose more', 'take', ['a'], ['a'], ['a', 'b']],
  ['both chose more', 'ask', ['a'], ['a', 'c'], ['a', 'b']],
  ['only the other user chose, and the form shows an empty list', 'take', null, [], ['b']],
  ['a period that nobody filled in', 'keep', null, ['', ''], [null, null]],
  ['only the other user changed a row', 'take', [row('p', 1)], [row('p', 1)], [row('p', 2)]],
  ['both changed a row', 'ask', [row('p', 1)], [row('p', 3)], [row('p', 2)]],
  [
    'rows that differ in what is not filled in',
    'keep',
    [row('p', 1)],
    [row('p', 1, { note: '' })],
    [row('p', 1, { note: null })],
  ],
  ['only the other user added the first row', 'take', null, [], [row('p', 1)]],
  [
    'only this user removed a row',
    'keep',
    [row('p', 1), row('q', 1)],
    [row('p', 1)],
    [row('p', 1), row('q', 1)],
  ],
  ['both removed another row', 'ask', [row('p', 1), row('q', 1)], [row('p', 1)], [row('q', 1)]],
  [
    'rows in another order',
    'take',
    [row('p', 1), row('q', 1)],
    [row('p', 1), row('q', 1)],
    [row('q', 1), row('p', 1)],
  ],
  ['an object with an empty part', 'keep', { city: '宁波' }, { city: '宁波', street: '' }, { city: '宁波' }],
])('a value of a record that two people edit: %s → %s', (_, fate, base, mine, theirs) => {
  expect(fateOf(base, mine, theirs)).toBe(fate)
})
