import { expect, it } from 'vitest'
import { createStatementNames } from '../../../src/server/kernel/db/prepared.ts'

it('a statement has a name from its second time on, always the same', () => {
  const names = createStatementNames()
  const asked = ['a', 'a', 'b', 'a', 'b'].map((text) => names.nameOf(text))
  expect(asked[0]).toBeUndefined()
  expect(asked[2]).toBeUndefined()
  expect(asked[1]).toBe(asked[3])
  expect(asked[4]).not.toBe(asked[1])
})

it('what was not asked for longest is forgotten, and never gets a name that something else has', () => {
  const names = createStatementNames(2)
  const first = [names.nameOf('a'), names.nameOf('a')][1]
  for (const text of ['b', 'c', 'b', 'c']) names.nameOf(text)

  expect(names.nameOf('a')).toBeUndefined()
  expect(names.nameOf('a')).not.toBe(first)
})

it('what finds by a keyword has none: a plan for any keyword is a bad one for most', () => {
  const names = createStatementNames()
  const text = 'select id from lead l where "l"."search_tokens" @> $1'

  expect([1, 2, 3].map(() => names.nameOf(text))).toEqual([undefined, undefined, undefined])
})
