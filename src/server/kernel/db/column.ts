import { type RawBuilder, sql } from 'kysely'

const known = new Map<string, RawBuilder<unknown>>()
/** Names come from our own tables and a tenant's fields. */
const KNOWN_MOST = 4000

/**
 * A column by its name, with the alias of its table where there is one: what `sql.ref` makes, made once. A list names a hundred.
 */
export function columnNamed(name: string): RawBuilder<unknown> {
  const found = known.get(name)
  if (found !== undefined) return found
  const quoted = name.split('.').map((part) => `"${part.replaceAll('"', '""')}"`)
  const made = sql.raw<unknown>(quoted.join('.'))
  if (known.size >= KNOWN_MOST) known.clear()
  known.set(name, made)
  return made
}
