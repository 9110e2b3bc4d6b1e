import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { expect, it } from 'vitest'
import { createStatementNames, NEVER_PREPARED } from '../../../src/server/kernel/db/prepared.ts'
import { keywordCondition } from '../../../src/server/kernel/lists/keyword-condition.ts'

const dialect = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

it('a statement has a name from its second use on, always the same', () => {
  const names = createStatementNames()
  const asked = ['a', 'a', 'b', 'a', 'b'].map((text) => names.nameOf(text))
  expect(asked[0]).toBeUndefined()
  expect(asked[2]).toBeUndefined()
  expect(asked[1]).toBe(asked[3])
  expect(asked[4]).not.toBe(asked[1])
})

it('the least recently used name is forgotten, and no name is reused', () => {
  const names = createStatementNames(2)
  const first = [names.nameOf('a'), names.nameOf('a')][1]
  for (const text of ['b', 'c', 'b', 'c']) names.nameOf(text)

  expect(names.nameOf('a')).toBeUndefined()
  expect(names.nameOf('a')).not.toBe(first)
})

it('statements that are planned at each call have no name', () => {
  const names = createStatementNames()
  const text = `select id from lead where search_tokens @> $1 ${NEVER_PREPARED}`

  expect([1, 2, 3].map(() => names.nameOf(text))).toEqual([undefined, undefined, undefined])
})

it('keyword searches are planned at each call', () => {
  const { sql } = keywordCondition('l', '精密').compile(dialect)
  const names = createStatementNames()

  expect([1, 2, 3].map(() => names.nameOf(sql))).toEqual([undefined, undefined, undefined])
})
