import { type RawBuilder, sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'

/** A value for a `json` or `jsonb` column, lists included: write JSON columns with it, both databases read it the same way. */
export function json<T extends Json>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::json`
}
