import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'

type Predicate = typeof import('../../../src/server/kernel/visibility/predicate.ts')
type OwnModule = typeof import('../../../src/server/kernel/visibility/own-module.ts')

/** The application's own access check. Tests disable it: then row-level security must be sufficient. */
export const nets = { predicate: true }

/** What must hold with both layers must hold with one: for `describe.each`, with {@link useAccessCheck}. */
export const NETS: readonly (readonly [name: string, predicate: boolean])[] = [
  ['with both nets', true],
  ['with row-level security alone', false],
]

/** Switches the access check on or off for the tests of the surrounding `describe`. */
export function useAccessCheck(isOn: boolean): void {
  beforeAll(() => {
    nets.predicate = isOn
  })
  afterAll(() => {
    nets.predicate = true
  })
}

/** The visibility predicate, which is always true while the access check is disabled: for `vi.mock` of its module. */
export function openable(real: Predicate): Predicate {
  const open = sql<boolean>`true`
  return {
    ...real,
    isVisible: (...args) => (nets.predicate ? real.isVisible(...args) : open),
    isVisibleOwned: (...args) => (nets.predicate ? real.isVisibleOwned(...args) : open),
    isInScope: (...args) => (nets.predicate ? real.isInScope(...args) : open),
    isWritable: (...args) => (nets.predicate ? real.isWritable(...args) : open),
  }
}

/** The same for own modules: only the test for the record's module remains. */
export function openableOwn(real: OwnModule): OwnModule {
  const isOfModule = (name: string, row: string) => sql<boolean>`${sql.ref(`${row}.module`)} = ${name}`
  return {
    ...real,
    isOwnVisible: (caller, module, row) =>
      nets.predicate ? real.isOwnVisible(caller, module, row) : isOfModule(module.name, row),
    ...Object.fromEntries(
      (['isOwnInScope', 'isOwnWritable', 'isOwnRestorable', 'isInOwnPool'] as const).map((name) => [
        name,
        (...[caller, module, row]: Parameters<OwnModule['isOwnVisible']>) =>
          nets.predicate ? real[name](caller, module, row) : isOfModule(module.name, row),
      ]),
    ),
  }
}
