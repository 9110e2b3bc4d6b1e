import { expect, it } from 'vitest'
import { rememberedCheck } from '../../../../src/server/kernel/pages/remembered-check.ts'

it('a page is checked again only if it or the available names have changed', () => {
  const asked: unknown[] = []
  const check = rememberedCheck((document) => {
    asked.push(document)
    return []
  })
  const names = (...all: string[]) => ({ dictionaries: new Set(all) })

  check({ a: 1 }, names('level', 'source'))
  check({ a: 1 }, names('source', 'level'))
  expect(asked).toEqual([{ a: 1 }])

  check({ a: 2 }, names('level', 'source'))
  check({ a: 1 }, names('level'))
  check({ a: 1 })
  expect(asked).toEqual([{ a: 1 }, { a: 2 }, { a: 1 }, { a: 1 }])
})
