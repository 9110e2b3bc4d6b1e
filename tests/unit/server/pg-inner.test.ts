import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PassThrough } from 'node:stream'
import pg, { type Connection } from 'pg'
import { expect, it } from 'vitest'
import { Batch } from '../../../src/server/kernel/db/batch.ts'
import {
  type Messages,
  messageEncoder,
  type PgSession,
  wireValue,
} from '../../../src/server/kernel/db/pg-inner.ts'
import { Statement } from '../../../src/server/kernel/db/statement.ts'

/** The methods that pg itself calls on a running query. */
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

it('a batch is a query to pg and has all methods that pg calls', () => {
  expect(Batch.prototype).toBeInstanceOf(pg.Query)
  expect(CALLED.size).toBeGreaterThan(6)
  const own = Object.getOwnPropertyNames(Batch.prototype)
  expect([...CALLED].filter((name) => !own.includes(name)).sort()).toEqual(NOT_ASKED)
})

it('a batch is one piece with one Sync, whatever it consists of', () => {
  const stream = new PassThrough()
  const pieces: Buffer[] = []
  stream.on('data', (piece: Buffer) => pieces.push(piece))
  const batch = new Batch(stream, () => undefined)
  const add = (name: string, text: string, values: string[]): void => {
    const parts = { name, text, values, described: new Map(), readerOf: () => String }
    batch.add(
      new Statement(
        parts,
        () => undefined,
        () => undefined,
      ),
    )
  }
  add('s1', 'begin', [])
  add('s2', 'select $1::text', ['深圳'])
  const submittedNamedStatements = {}
  batch.submit({ parsedStatements: { s1: 'begin' }, submittedNamedStatements })
  stream.read()

  const codes = pieces.map((piece) => {
    const found: string[] = []
    for (let at = 0; at < piece.length; at += 1 + piece.readInt32BE(at + 1))
      found.push(String.fromCharCode(piece[at] ?? 0))
    return found.join('')
  })
  // Bind, Describe, Execute; Parse before them where the session has no such statement; Sync.
  expect(codes).toEqual(['BDEPBDES'])
  expect(submittedNamedStatements).toEqual({ s2: 'select $1::text' })
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
