import type { Entry } from './catalogue-entry.ts'
import { GLOBALS } from './catalogue-globals.ts'
import { METHODS } from './catalogue-methods.ts'

/** Every name that page code can use or has been seen to use, and its implementation. The table in `runtime/README.md` is generated from it. */
export const CATALOGUE: readonly Entry[] = [...METHODS, ...GLOBALS]

/** Names that the guest rejects: each one throws an error. */
export const REFUSED: readonly Pick<Entry, 'owner' | 'name' | 'kind' | 'note'>[] = CATALOGUE.filter(
  ({ status }) => status === 'error',
).map(({ owner, name, kind, note }) => ({ owner, name, kind, note }))
