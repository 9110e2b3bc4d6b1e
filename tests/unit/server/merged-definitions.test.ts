import { expect, it } from 'vitest'
import { mergedOver } from '../../../src/server/flows/modelling/definition-file.ts'

const fields = (...names: string[]) => names.map((name) => ({ name, kind: 'text', label: name }))
const group = (name: string, ...names: string[]) => ({ name, label: name, fields: names })

it('a description over an existing one that says the same and more leaves it as it is', () => {
  const existing = {
    name: 'm',
    fields: fields('a', 'mine', 'b'),
    groups: [group('one', 'a', 'mine', 'b'), group('own')],
  }
  const given = { name: 'm', fields: fields('a', 'b'), groups: [group('one', 'a', 'b'), group('own')] }

  expect(mergedOver(existing, given)).toEqual(existing)
})

it('what is new comes in its order, and fields that only the existing one has stay beside what they stand after', () => {
  const existing = {
    name: 'm',
    fields: fields('first', 'a', 'mine', 'b'),
    groups: [group('one', 'first', 'a', 'mine'), group('theirs', 'b')],
  }
  const given = { name: 'm', fields: fields('b', 'new', 'a'), groups: [group('one', 'b', 'new', 'a')] }
  const merged = mergedOver(existing, given)

  expect(merged.fields).toEqual(fields('first', 'b', 'new', 'a', 'mine'))
  expect(merged.groups).toEqual([group('one', 'first', 'b', 'new', 'a', 'mine')])
  const apart = mergedOver({ ...existing, groups: [group('kept', 'mine', 'a')] }, given)
  expect(apart.groups).toEqual([group('one', 'b', 'new', 'a'), group('kept', 'mine')])
})
