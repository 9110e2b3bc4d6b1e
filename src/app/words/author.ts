import { parseStrictly } from '../../../runtime/core/check/parse-strictly.ts'
import type { WidgetRegistry } from '../../../runtime/core/page/widget-spec.ts'
import type { Author } from '../../../runtime/core/ports.ts'
import { inChinese } from './author-words.ts'

/** Messages for the author of a page on trial. Loaded with a page on trial. */
export const authorOf = (registry: WidgetRegistry): Author => ({
  words: inChinese,
  check(document) {
    const parsed = parseStrictly(document, { registry })
    return parsed.ok ? parsed.warnings : parsed.problems
  },
})
