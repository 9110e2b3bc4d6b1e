import type { Json } from '../../../runtime/core/json.ts'
import { t } from '../context.ts'

/** Probable values by the name of a key; the first match counts. */
const KINDS: readonly (readonly [RegExp, (index: number) => Json])[] = [
  [/(?:^|_)(?:id|uid)$/, (index) => String(index + 1)],
  [/^(?:is|has|can|may)[_A-Z]|starred|liked|enabled|overdue$/, (index) => index === 0],
  [/(?:tags|images|files|list|items|lines|members|children|marks|values)$/, () => []],
  [/(?:^at|_at|_time|time|date|_on)$/, (index) => `2026-05-${20 - index} 09:30:00`],
  [/(?:day|month)$/, (index) => `2026-05-${20 - index}`],
  [/(?:percent|rate|ratio|probability)$/, (index) => 60 - index * 15],
  [/(?:amount|money|price|total|sum|budget|cost|paid|left)$/i, (index) => 128_000 / (index + 1)],
  [/(?:count|num|number|days|qty|quantity|times|score|unread)$/i, (index) => 12 - index * 4],
  [/(?:phone|mobile|tel)$/i, () => '13800138000'],
  [/(?:avatar|image|picture|logo|url|link|icon)$/i, () => ''],
  [/email$/i, () => 'sample@example.com'],
  [/(?:_no|^no|code|sn)$/, (index) => `NO2026050${index + 1}`],
  [
    /(?:user|owner|creator|author|contact|person)(?:_name)?$/,
    (index) => t(`workbench.sample.person.${index}`),
  ],
  [/(?:^name|title|customer_name|company)$/, (index) => t('workbench.sample.name', { n: index + 1 })],
  [/(?:content|remark|note|summary|description|text)$/, () => t('workbench.sample.content')],
  [/address$/, () => t('workbench.sample.address')],
]

/** A sample value for drawing a page. */
export function sampleValue(key: string, index: number): Json {
  const kind = KINDS.find(([pattern]) => pattern.test(key))
  return kind === undefined ? t('workbench.sample.word') : kind[1](index)
}
