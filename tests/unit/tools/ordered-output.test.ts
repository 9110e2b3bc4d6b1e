import { expect, it } from 'vitest'
import { createOrderedOutput } from '../../../src/tools/ordered-output.ts'

it('the output of parallel parts is printed one after another, the first part’s at once', () => {
  const told: string[] = []
  const begin = createOrderedOutput((text) => told.push(text))
  const heard = () => told.splice(0).join('')
  const [first, second, third] = [begin(), begin(), begin()]

  second.print('b1 ')
  first.print('a1 ')
  first.print('a2 ')
  expect(heard()).toBe('a1 a2 ')

  third.print('c1 ')
  third.end()
  first.end()
  expect(heard()).toBe('b1 ')
  second.print('b2 ')
  expect(heard()).toBe('b2 ')

  second.end()
  expect(heard()).toBe('c1 ')
  const fourth = begin()
  fourth.print('d1')
  expect(heard()).toBe('d1')
})
