import { crossTenantTables } from '../../support/tenant-first.ts'
import type { Watch } from '../support.ts'
import { watchRoles } from '../watch-roles.ts'

/** Statements that the server sends to its database, each text once per role. */
export interface Said {
  readonly watch: Watch
  /** Starts over: the statements that created the data are not the server's. */
  forget(): void
  texts(): readonly string[]
  /** By role, the statements that span tenants: their tables, then the beginning of the text. */
  across(tables: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
}

const ROLES = ['crm_app', 'crm_system'] as const
/** Has one row per tenant. */
const WHOLE: ReadonlySet<string> = new Set(['tenant'])
const SHOWN = 200
/** Locks and savepoints refer to no rows. */
const ASKS = /^\s*(?:select|with|insert|update|delete)\b/i

export function createSaid(): Said {
  const said = new Map<string, Set<string>>()
  const forget = (): void => {
    for (const role of ROLES) said.set(role, new Set())
  }
  forget()
  return {
    forget,
    texts: () => [...new Set([...said.values()].flatMap((texts) => [...texts]))].sort(),
    watch: watchRoles((role, text) => {
      if (ASKS.test(text)) said.get(role)?.add(text)
    }),
    async across(tables) {
      const ofTenants = new Set(tables.filter((name) => !WHOLE.has(name)))
      const found = new Map<string, readonly string[]>()
      for (const [role, texts] of said) found.set(role, await linesOf(texts, ofTenants))
      return found
    },
  }
}

async function linesOf(
  texts: ReadonlySet<string>,
  ofTenants: ReadonlySet<string>,
): Promise<readonly string[]> {
  const lines = new Set<string>()
  for (const text of texts)
    for (const table of await crossTenantTables(text, ofTenants))
      lines.add(`${table} in ${text.replace(/\s+/g, ' ').trim().slice(0, SHOWN)}`)
  return [...lines]
}
