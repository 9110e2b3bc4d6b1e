import type { Problem } from '../errors.ts'
import { isObject } from '../json.ts'
import type { Page } from '../page/page.ts'
import { joinPointer } from '../page/pointer.ts'
import { checkTexts } from './check-texts.ts'
import { type At, checkRuleAt, type Names } from './names.ts'

const MAX_DEPTH = 32

/** Rules and templates of the declared data sources: `auto`, and a `body` built as a whole. */
export function checkSources({ config }: Page, names: Names): Problem[] {
  const list = Array.isArray(config.dataSources) ? config.dataSources : []
  return list.flatMap((source: unknown, i) => {
    if (!isObject(source)) return []
    const at = (below: string): string => `/formConfig/dataSources/${i}${below}`
    const { auto, body } = source
    const rule = isObject(auto) ? checkRuleAt(auto, (below) => at(`/auto${below}`), names) : []
    return [...rule, ...checkBody(body, (below) => at(`/body${below}`), names, 0)]
  })
}

function checkBody(body: unknown, at: At, names: Names, depth: number): Problem[] {
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH) return checkTexts(body, at, names)
  const entries: readonly (readonly [string, unknown])[] = Object.entries(body)
  return entries.flatMap(([key, value]) => {
    const below: At = (rest) => at(joinPointer('', key) + rest)
    return key === '$if' || key === '$without'
      ? checkRuleAt(value, below, names)
      : checkBody(value, below, names, depth + 1)
  })
}
