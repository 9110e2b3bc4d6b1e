import { DatabaseError } from 'pg'
import { expect, it } from 'vitest'
import { openPostgresql } from '../../../src/server/kernel/db/postgresql.ts'
import { asUnavailable, DatabaseUnavailable } from '../../../src/server/kernel/db/unavailable.ts'

const said = (severity: string, code: string): Error =>
  Object.assign(new DatabaseError('said', 0, 'error'), { severity, code })
const ofSystem = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall })

it.each([
  ['a session that is told to end', said('FATAL', '57P01')],
  ['one that ends for a reason of its own', said('FATAL', 'XX000')],
  ['a crash', said('PANIC', '58030')],
  ['a statement that took too long', said('ERROR', '57014')],
  ['a lock that was not to be had', said('ERROR', '55P03')],
  ['an address that refuses', ofSystem('ECONNREFUSED', 'connect')],
  ['a socket whose file is not there while the database starts', ofSystem('ENOENT', 'connect')],
  ['a connection that is cut', ofSystem('ECONNABORTED', 'read')],
  ['a stream that is over', Object.assign(new Error('over'), { code: 'ERR_STREAM_DESTROYED' })],
  ['an answer to somebody else', new Error('Received unexpected commandComplete message from backend.')],
  ['what the driver says of it', new Error('Connection terminated unexpectedly')],
])('%s is retried', (_, error) => {
  expect(asUnavailable(error)).toBeInstanceOf(DatabaseUnavailable)
})

it.each([
  ['a row that is there already', said('ERROR', '23505')],
  ['a deadlock, which is begun again', said('ERROR', '40P01')],
  ['a full disk, which has a sentence of its own', said('ERROR', '53100')],
  ['a fault of ours', new TypeError('Query values must be an array')],
])('%s is not retried', (_, error) => {
  expect(asUnavailable(error)).toBe(error)
})

it('a database whose socket is closed counts as unavailable', async () => {
  const source = openPostgresql('postgres://u@localhost/u?host=%2Fnowhere', () => undefined)

  await expect(source.acquire()).rejects.toThrow(DatabaseUnavailable)
  await source.close()
})
