import { LONG } from '../../src/tools/long-tests.ts'

/** Options of a test that `npm test` leaves out and `npm run test:all` runs. */
export const long = { tags: [LONG.name] }

/** How often a random test is repeated: `few` times by `npm test`, `many` times by `npm run test:all` (`TEST_ALL=yes`). */
export const runs = (few: number, many: number): number => (process.env.TEST_ALL === 'yes' ? many : few)
