import type { KnownNames } from '../../../../runtime/core/check/known-names.ts'
import type { Problem } from '../../../../runtime/core/errors.ts'
import type { CheckPage } from './check.ts'
import { etagOf } from './page-version.ts'
import type { ValidPageCache } from './valid-page-cache.ts'

const MAX_CACHED = 1_000

const remembered = new WeakMap<CheckPage, CheckPage>()

/**
 * Checks the same page with the same names only once in this process: when one file changes, the hundred others are not checked again,
 * and a second server in the process checks none.
 *
 * @param faultless  results of earlier starts; used by the first checker that remembers this check
 */
export function rememberedCheck(check: CheckPage, faultless?: ValidPageCache): CheckPage {
  const known = remembered.get(check) ?? remembering(check, faultless)
  remembered.set(check, known)
  return known
}

function remembering(check: CheckPage, faultless: ValidPageCache | undefined): CheckPage {
  const judged = new Map<string, readonly Problem[]>()
  const keys = new WeakMap<KnownNames, string>()
  const keyOf = (known: KnownNames): string => {
    const key = keys.get(known) ?? keyOfNames(known)
    keys.set(known, key)
    return key
  }
  return (document, known = {}) => {
    const key = `${etagOf(document)} ${keyOf(known)}`
    const problems = judged.get(key) ?? (faultless?.has(key) === true ? [] : check(document, known))
    if (problems.length === 0) faultless?.add(key)
    if (judged.size >= MAX_CACHED) judged.clear()
    judged.set(key, problems)
    return problems
  }
}

/** The same result for the same names, in any order. */
export const keyOfNames = (known: KnownNames): string =>
  etagOf(Object.entries(known).map(([name, all]) => [name, ...[...all].sort()]))
