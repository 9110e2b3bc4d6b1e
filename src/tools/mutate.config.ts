import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests that mutants of the pure rooms are tried on: those that name them, and their laws. No browser, no database, no worker. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: [
      'tests/unit/{logic,rules,dates}/**/*.test.ts',
      'tests/unit/core/edit/**/*.test.ts',
      'tests/property/{edits,logic,merge-pages,named-rules,pattern}.test.ts',
    ],
    environment: 'node',
    setupFiles: [fileURLToPath(new URL('../../tests/support/seed.ts', import.meta.url))],
    testTimeout: 60_000,
  },
})
