import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { STATISTIC_KEYS, type StatisticKey } from '../../../contract/home.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { readScope, readSpans } from '../../kernel/lists/stat-question.ts'
import { namePeople, type StatQuestion } from '../../kernel/lists/stat-rows.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import type { ComparedSpans } from '../../kernel/time/period.ts'

/** A request for a period and a scope, read from a call's body. */
export interface PeriodQuestion {
  readonly question: StatQuestion
  readonly spans: ComparedSpans
  /** The request as given, for cursors. */
  readonly cacheKey: string
}

/**
 * Reads `period` (default this_month), `scope` (default mine), `from`, `to`.
 *
 * @throws Refusal 400 for invalid values, 405 beyond the caller's rights
 */
export async function readQuestion(body: JsonObject, ctx: CallContext): Promise<PeriodQuestion> {
  const period = textOf(body.period) ?? 'this_month'
  const scope = textOf(body.scope) ?? 'mine'
  const from = textOf(body.from)
  const to = textOf(body.to)
  const spans = readSpans(
    { period, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) },
    ctx,
  )
  return {
    question: await namePeople({ ctx, scope: readScope(scope, ctx.caller), span: spans.current }),
    spans,
    cacheKey: JSON.stringify([period, scope, from ?? '', to ?? '']),
  }
}

/** Reads one of the eight keys. */
export function readKey(value: Json | undefined): StatisticKey {
  return (
    STATISTIC_KEYS.find((it) => it === value) ??
    refuse(400, 'VALIDATION', text('stats.key'), { detail: 'key' })
  )
}

/** Reads one of a list of words. */
export function readWord<T extends string>(value: Json | undefined, words: readonly T[], name: string): T {
  return (
    words.find((word) => word === value) ?? refuse(400, 'VALIDATION', text('call.invalid'), { detail: name })
  )
}

function textOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string' || value.length > 80) refuse(400, 'VALIDATION', text('call.invalid'))
  return value
}
