import type { JsonObject } from '../json.ts'
import { isCodeKey } from './has-code.ts'
import { RULE_OPTIONS } from './rule-options.ts'

/** Options beside the rules whose text means more than itself (runtime/PAGE-FORMAT.md). */
const NAMES: ReadonlySet<string> = new Set(['bind', 'dict', 'validation', 'customRule', 'dsName', 'on'])

export interface ScannedOptions {
  /** Options that later steps must process: rules, texts with placeholders, names, lists and objects. */
  readonly special: readonly string[]
  /** A code slot is filled. */
  readonly code: boolean
}

const PLAIN: readonly string[] = []

/** Classifies the options of a widget once, so that later steps need not scan all of them: most are plain. */
export function scanOptions(options: JsonObject): ScannedOptions {
  let special = PLAIN as string[]
  let code = false
  const add = (key: string) => {
    if (special === PLAIN) special = [key]
    else special.push(key)
  }
  for (const key in options) {
    const value = options[key]
    if (value === null || value === undefined) continue
    if (typeof value === 'string') {
      if (value === '') {
        if (RULE_OPTIONS.has(key)) add(key)
      } else if (isCodeKey(key)) code ||= value.trim() !== ''
      else if (value.includes('{{') || NAMES.has(key) || RULE_OPTIONS.has(key)) add(key)
    } else if (typeof value === 'object' || RULE_OPTIONS.has(key)) add(key)
  }
  return { special, code }
}
