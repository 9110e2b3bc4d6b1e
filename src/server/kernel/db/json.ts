import { type RawBuilder, sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'

/** A value for a `json` or `jsonb` column, including lists. Use it for every JSON column: both databases then read the value the same way. */
export function json<T extends Json>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::json`
}
