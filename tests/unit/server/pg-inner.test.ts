import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PassThrough } from 'node:stream'
import pg, { type Connection } from 'pg'
import { expect, it } from 'vitest'
import {
  type Messages,
  messageEncoder,
  type PgSession,
  wireValue,
} from '../../../src/server/kernel/db/pg-inner.ts'
import { Statement } from '../../../src/server/kernel/db/statement.ts'

/** The methods that pg itself calls on a running statement. */
const CALLED = new Set(
  Array.from(
    readFileSync(createRequire(import.meta.url).resolve('pg/lib/client.js'), 'utf8').matchAll(
      /activeQuery\.(\w+)\(/g,
    ),
    ([, name = '']) => name,
  ),
)
/** Answers to `copy` and to a portal that is read in parts: none of our statements requests them. */
const NOT_ASKED = ['handleCopyData', 'handleCopyInResponse', 'handlePortalSuspended']

function say(to: Messages): void {
  to.parse({ name: 's1', text: 'select $1::text as a', types: [] }, true)
  to.bind({ statement: 's1', values: ['深圳', null, Buffer.from('b')] }, true)
  to.describe({ type: 'P' }, true)
  to.execute({}, true)
  to.sync()
  to.query('begin')
}

it('the messages of a statement equal those of pg, byte for byte', () => {
  const stream = new PassThrough()
  const pgs = new pg.Connection({ stream } as unknown as ConstructorParameters<typeof pg.Connection>[0])
  const ours: Buffer[] = []
  say(pgs)
  say(messageEncoder((message) => void ours.push(message)))

  expect(ours).toHaveLength(6)
  expect(Buffer.concat(ours).equals(stream.read() as Buffer)).toBe(true)
})

it('a pg session keeps its prepared statements, and the running ones', () => {
  const session = new pg.Connection({
    stream: new PassThrough(),
  } as unknown as ConstructorParameters<typeof pg.Connection>[0]) as Connection & PgSession

  expect(session.parsedStatements).toEqual({})
  expect(session.submittedNamedStatements).toEqual({})
})

it('a statement is a query to pg and has all methods that pg calls', () => {
  expect(Statement.prototype).toBeInstanceOf(pg.Query)
  expect(CALLED.size).toBeGreaterThan(6)
  const own = Object.getOwnPropertyNames(Statement.prototype)
  expect([...CALLED].filter((name) => !own.includes(name)).sort()).toEqual(NOT_ASKED)
})

it('values are sent as texts, bytes or null; others are an error', () => {
  expect([wireValue(1), wireValue(true), wireValue(undefined), wireValue(['a'])]).toEqual([
    '1',
    'true',
    null,
    '{"a"}',
  ])
  const circle: Record<string, unknown> = {}
  circle.self = circle
  expect(() => wireValue(circle)).toThrow()
})
