import { statSync } from 'node:fs'
import type { TestSequencer, TestSpecification, Vitest } from 'vitest/node'

/** Files that take longer than their size suggests, the longest first: one that started last would be waited for alone. */
const LONG = [
  'e2e/routes',
  'e2e/offline',
  'e2e/workbench',
  'e2e/desk',
  'e2e/home',
  'e2e/tutorial',
  'e2e/implementer',
  'e2e/settings',
  'e2e/day',
  'server/platform/process',
  'server/platform/backup',
  'server/model/every-reader',
  'server/isolation/isolation',
  'server/platform/outage',
  'server/sheets/hostile-sheets',
  'server/business/plans',
].map((name) => `/tests/${name}.test.ts`)

const rankOf = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex((name) => moduleId.endsWith(name))
  return place < 0 ? LONG.length : place
}
const sizeOf = ({ moduleId }: TestSpecification): number => statSync(moduleId).size

/** Starts long test files first, then large ones. */
export class LongFirst implements TestSequencer {
  readonly #vitest: Vitest
  constructor(vitest: Vitest) {
    this.#vitest = vitest
  }
  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((one, other) => rankOf(one) - rankOf(other) || sizeOf(other) - sizeOf(one))
  }
  async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index = 1, count = 1 } = this.#vitest.config.shard ?? {}
    return (await this.sort(files)).filter((_, at) => at % count === index - 1)
  }
}
