import { type RawBuilder, sql } from 'kysely'

const known = new Map<string, RawBuilder<unknown>>()
/** Names come only from our own tables and the fields of tenants. */
const MAX_CACHED = 4000

/** A column by name, with the alias of its table if given: the result of `sql.ref`, cached, because a list uses a hundred of them. */
export function columnNamed(name: string): RawBuilder<unknown> {
  const found = known.get(name)
  if (found !== undefined) return found
  const quoted = name.split('.').map((part) => `"${part.replaceAll('"', '""')}"`)
  const raw = sql.raw<unknown>(quoted.join('.'))
  if (known.size >= MAX_CACHED) known.clear()
  known.set(name, raw)
  return raw
}
