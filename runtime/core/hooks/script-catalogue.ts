import type { Entry } from './catalogue-entry.ts'
import { GLOBALS } from './catalogue-globals.ts'
import { METHODS } from './catalogue-methods.ts'

/** Every name that page code can use or has been seen to use, with its answer. The table in `runtime/README.md` is made of it. */
export const CATALOGUE: readonly Entry[] = [...METHODS, ...GLOBALS]

/** What the guest refuses by name: it makes an error out of each. */
export const REFUSED: readonly Pick<Entry, 'owner' | 'name' | 'kind' | 'note'>[] = CATALOGUE.filter(
  ({ status }) => status === 'error',
).map(({ owner, name, kind, note }) => ({ owner, name, kind, note }))
