import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { answerHelp, refuseUse } from '../server/kernel/config/command.ts'

interface Room {
  /** The files to mutate. */
  readonly code: readonly string[]
  /** The tests that must fail. Only those of the room, since each mutation runs them all. */
  readonly tests: readonly string[]
}

/** Rooms with mutation tests: at least 85 % of the mutants must be killed. */
const ROOMS: Readonly<Record<string, Room>> = {
  logic: {
    code: ['runtime/core/logic/*.ts'],
    tests: ['tests/unit/{logic,dates}/**/*.test.ts', 'tests/property/logic.test.ts'],
  },
  rules: {
    code: ['runtime/core/rules/*.ts'],
    tests: ['tests/unit/rules/**/*.test.ts', 'tests/property/named-rules.test.ts'],
  },
  state: {
    code: ['runtime/core/state/*.ts'],
    tests: ['tests/unit/core/state/**/*.test.ts'],
  },
  money: {
    code: ['runtime/core/decimal.ts', 'src/server/kernel/fields/money.ts'],
    tests: ['tests/unit/decimal.test.ts', 'tests/unit/server/money.test.ts'],
  },
  visibility: {
    code: ['src/server/kernel/visibility/*.ts'],
    tests: ['tests/unit/server/visibility/**/*.test.ts', 'tests/server/business/visibility.test.ts'],
  },
  pools: {
    code: ['src/server/kernel/pools/*.ts'],
    tests: ['tests/unit/server/pools/**/*.test.ts', 'tests/server/business/holding.test.ts'],
  },
  edit: {
    code: ['runtime/core/edit/*.ts'],
    tests: ['tests/unit/core/edit/**/*.test.ts'],
  },
}

/**
 * `npm run mutate -- ROOM [--concurrency 1 …]`: mutates the code of a room and lists the surviving mutants. `npm run mutate -- ROOM --switch FILE…`:
 * only these files, with the mutants switched on one after another in one process, whose tests keep their database.
 */
const USAGE = `usage: npm run mutate -- ROOM [--switch FILE…], where ROOM is one of ${Object.keys(ROOMS).join(', ')}`

answerHelp(USAGE)
const [name = '', ...more] = process.argv.slice(2)
const room = ROOMS[name]
const [option, ...files] = more
if (room === undefined || (option === '--switch' && files.length === 0)) refuseUse(USAGE)
const [program, ...args] =
  option === '--switch'
    ? ['vitest', 'run', '--config', 'src/tools/mutate-switched.config.ts']
    : ['stryker', 'run', 'src/tools/mutate.json', '--mutate', room.code.join(','), ...more]
const path = fileURLToPath(new URL(`../../node_modules/.bin/${program}`, import.meta.url))
const env = { ...process.env, MUTATE_TESTS: room.tests.join(' '), MUTATE_FILES: files.join(' ') }
process.exit(spawnSync(path, args, { stdio: 'inherit', env }).status ?? 1)
