import { expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../../src/server/kernel/db/unavailable.ts'
import { withWayOn } from '../../../src/server/kernel/db/way-on.ts'

const full = Object.assign(new Error('could not extend file "base/5/16384": No space left on device'), {
  code: '53100',
})

it.each([
  [
    'a full disk',
    full,
    'the restore failed: no space left on the device. Make room where the database is, then restore again',
  ],
  [
    'a database that ended',
    new DatabaseUnavailable('the database ended'),
    'the restore failed: the database is not available: the database ended. Look whether there is room where the database is, then restore again',
  ],
  ['a quota', Object.assign(new Error('EDQUOT'), { code: 'EDQUOT' }), 'Make room where the database is'],
  ['anything else', new Error('a row is not as it was'), 'a row is not as it was'],
  [
    'a folder that may not be written',
    Object.assign(new Error('EACCES: x'), { code: 'EACCES' }),
    'EACCES: x',
  ],
])('long work that ends by %s says a way on where room is one', (_, error, sentence) => {
  expect(() => withWayOn('the restore failed', 'restore again')(error)).toThrow(sentence)
})
