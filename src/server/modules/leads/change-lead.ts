import type { CallContext } from '../../kernel/context/call-context.ts'
import type { Faults } from '../../kernel/fields/check-record.ts'
import type { InputValues } from '../../kernel/fields/input.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import type { Changeable } from '../../kernel/records/change-record.ts'
import type { FoundRecord } from '../../kernel/records/find-record.ts'
import { pastFaults } from '../../kernel/records/next-follow.ts'
import { sourceActivityFaults } from '../../kernel/records/source-activity.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { searchColumns } from '../../kernel/words/search-columns.ts'
import { completeness } from './completeness.ts'

const WAYS = ['mobile', 'telephone', 'wechat', 'email'] as const

/** How a lead is changed (DOMAIN 1.4). A converted lead is read-only. */
export const LEAD_CHANGE: Changeable = {
  entity: 'lead',
  faults: leadFaults,
  async derive(source, found) {
    if (found?.status === 40) refuse(409, 'STATE_CONFLICT', text('lead.converted'))
    const { name, company, mobile, telephone } = source as Readonly<Record<string, string | null>>
    return {
      company: company ?? name ?? null,
      score: completeness(source),
      ...searchColumns({
        kind: 'company',
        name: name ?? '',
        shortName: company === name ? null : (company ?? null),
        phones: [mobile, telephone],
      }),
    }
  },
  async changed(found, values, ctx) {
    if (values.level !== undefined)
      await refreshExpiry('lead', [found.id], { trx: ctx.trx, tenantId: ctx.caller.tenantId })
  },
}

async function leadFaults(values: InputValues, found: FoundRecord | null, ctx: CallContext): Promise<Faults> {
  const after = { ...found, ...values } as Readonly<Record<string, unknown>>
  const isReachable = WAYS.some((field) => (after[field] ?? null) !== null)
  return {
    ...(isReachable ? {} : { mobile: text('contact.reachable') }),
    ...pastFaults('lead', values, ctx),
    ...(await sourceActivityFaults('lead', values, found, ctx)),
  }
}
