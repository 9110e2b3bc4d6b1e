import { type RunnerTestCase as Test, TestRunner } from 'vitest'

/** The mutants a test ran, those it failed for, and those that ran while its modules were loaded and cannot be switched on. */
interface SwitchedMutants {
  readonly ran: readonly string[]
  readonly killed: readonly string[]
  readonly loaded: readonly string[]
}

declare module 'vitest' {
  interface TaskMeta {
    mutants?: SwitchedMutants
  }
}

interface Space {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  mutantCoverage?: {
    readonly static: Readonly<Record<string, number>>
    readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>
  }
}

/** What code instrumented by Stryker reads to choose its mutant, and where it notes those it ran. */
const space: Space = {}
Object.assign(globalThis, { __stryker__: space })

/** Runs each test once as it is, which must pass, and once for each mutant it ran that no earlier test of its file failed for. */
export default class extends TestRunner {
  readonly #killed = new Set<string>()
  #loaded: readonly string[] | undefined

  async runTask(test: Test): Promise<void> {
    const run = TestRunner.getTestFn(test)
    this.#loaded ??= Object.keys(space.mutantCoverage?.static ?? {})
    space.currentTestId = test.id
    await run()
    space.currentTestId = undefined
    const ran = Object.keys(space.mutantCoverage?.perTest[test.id] ?? {})
    for (const mutant of ran.filter((id) => !this.#killed.has(id))) {
      space.activeMutant = mutant
      const isKilled = await Promise.resolve(run()).then(
        () => false,
        () => true,
      )
      if (isKilled) this.#killed.add(mutant)
    }
    space.activeMutant = undefined
    test.meta.mutants = { ran, killed: [...this.#killed], loaded: this.#loaded }
  }
}
