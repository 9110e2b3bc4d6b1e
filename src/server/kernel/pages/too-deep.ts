import type { Json } from '../../../../runtime/core/json.ts'
import { PARSE_LIMITS } from '../../../../runtime/core/page/parse-limits.ts'
import { JSON_LEVELS } from '../../../../runtime/core/page/read-json.ts'

const MOST = PARSE_LIMITS.depth * JSON_LEVELS

/** True for a document that is nested more deeply than any page may be: whatever walks it would exhaust the stack. Walks level by level itself. */
export function isTooDeep(document: Json): boolean {
  let level: readonly unknown[] = [document]
  for (let depth = 0; depth <= MOST; depth += 1) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value as object) : [],
    )
    if (level.length === 0) return false
  }
  return true
}
