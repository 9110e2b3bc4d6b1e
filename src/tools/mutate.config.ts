import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Runs the tests of one room (mutate.ts), in the copy of the repository whose code is mutated. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: (process.env.MUTATE_TESTS ?? '').split(' '),
    environment: 'node',
    setupFiles: [fileURLToPath(new URL('../../tests/support/seed.ts', import.meta.url))],
    testTimeout: 60_000,
  },
})
