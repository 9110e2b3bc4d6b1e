import { expect, it } from 'vitest'
import { createOrderedOutput } from '../../../src/tools/ordered-output.ts'

it('the output of parallel parts is printed one after another, the first part’s at once', () => {
  const told: string[] = []
  const begin = createOrderedOutput((text) => told.push(text))
  const heard = () => told.splice(0).join('')
  const [first, second, third] = [begin(), begin(), begin()]

  second.say('b1 ')
  first.say('a1 ')
  first.say('a2 ')
  expect(heard()).toBe('a1 a2 ')

  third.say('c1 ')
  third.over()
  first.over()
  expect(heard()).toBe('b1 ')
  second.say('b2 ')
  expect(heard()).toBe('b2 ')

  second.over()
  expect(heard()).toBe('c1 ')
  const fourth = begin()
  fourth.say('d1')
  expect(heard()).toBe('d1')
})
