import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError } from 'vitest/node'

/**
 * A vitest reporter for what its JSON report leaves out: errors outside of tests. Writes a list of the test files during which they happened (`null`
 * if unknown) to the file named by `STRAY_REPORT`.
 */
export default class StrayErrors implements Reporter {
  onTestRunEnd(_modules: unknown, errors: readonly SerializedError[]): void {
    const files = errors.map((error) => ('VITEST_TEST_PATH' in error ? error.VITEST_TEST_PATH : null))
    if (process.env.STRAY_REPORT !== undefined) writeFileSync(process.env.STRAY_REPORT, JSON.stringify(files))
  }
}
