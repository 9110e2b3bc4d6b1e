import { vi } from 'vitest'
import './other-tenant.ts'
import './other-department.ts'
import './route-table.ts'
import './record-tables.ts'
import './deals.ts'
import './log-words.ts'

/*
 * One file, since all of these need the same parts of the server replaced: a part is loaded once for all of them. What is replaced does what it did
 * before, except while a test switches a net off, and records which parameters are read.
 */
vi.mock('../../../src/server/kernel/visibility/predicate.ts', async (original) =>
  (await import('./nets.ts')).openable(await original()),
)
vi.mock('../../../src/server/kernel/visibility/own-module.ts', async (original) =>
  (await import('./nets.ts')).openableOwn(await original()),
)
vi.mock('../../../src/server/kernel/security/bounded-bodies.ts', async (original) =>
  (await import('./parameters.ts')).watchedCalls(await original()),
)
vi.mock('../../../src/model/read-record.ts', async (original) =>
  (await import('./parameters.ts')).watchedRecords(await original()),
)
vi.mock('../../../src/server/kernel/fields/input.ts', async (original) =>
  (await import('./parameters.ts')).watchedInput(await original()),
)
vi.mock('../../../src/server/kernel/records/described.ts', async (original) =>
  (await import('./parameters.ts')).watchedFields(await original()),
)
vi.mock('../../../src/server/kernel/records/write-once.ts', async (original) =>
  (await import('./written-kinds.ts')).watchedWrites(await original()),
)
