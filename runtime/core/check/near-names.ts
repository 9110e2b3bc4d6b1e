import { formatPhrase, type Phrase, type Problem } from '../errors.ts'
import { NO_OPERATION } from '../logic/check-rule.ts'
import { OPERATIONS } from '../logic/operations.ts'
import { ACTIONS } from '../page/actions.ts'
import { nameHint, nearestName } from '../page/nearest-type.ts'
import type { Page } from '../page/page.ts'
import type { PageCheck, Placing } from '../page/parse.ts'
import { ROOTS } from '../page/scope.ts'
import { FILTERS } from '../text/filters.ts'
import { NO_ACTION, NO_FIELD, NO_KEY, NO_SHEET } from './check-actions.ts'
import { type Names, namesOf } from './names.ts'

/** A check whose messages suggest the intended name: useful for authors, but not when a page is opened. */
export const withNearNames =
  (check: PageCheck): PageCheck =>
  (page, placing) => {
    const found = check(page, placing)
    return found.length === 0 ? found : nearNames(found, page, placing)
  }

function nearNames(found: readonly Problem[], page: Page, placing: Placing): readonly Problem[] {
  const names = namesOf(page, placing)
  return found.map((problem) => {
    const hint = hintFor(problem, names)
    return hint === null ? problem : { ...problem, hint: formatPhrase(hint), said: { ...problem.said, hint } }
  })
}

function hintFor({ code, said }: Problem, names: Names): Phrase | null {
  const { params } = said.message
  switch (code) {
    case 'RULE_UNKNOWN_NAME':
      return pathHint(String(params.path), names)
    case 'DATA_SOURCE_UNKNOWN':
      return among(String(params.name), [...names.sources])
    case 'FILTER_UNKNOWN':
      return onlyNear(String(params.name), Object.keys(FILTERS))
    case 'RULE_INVALID':
    case 'ACTION_INVALID':
      return reasonHint(params.reason, names)
    default:
      return null
  }
}

/** A path of a field or a parameter; a first step that resembles a root was meant as one. */
function pathHint(path: string, { fields, params }: Names): Phrase | null {
  const [root = '', name = '', ...more] = path.split('.')
  const suggestion = more.length === 0 ? null : nearestName(name, [...ROOTS])
  if (root === 'form' && suggestion !== null) return exactly([suggestion, ...more].join('.'))
  const known = root === 'form' ? fields : root === 'params' ? params : null
  return known === null
    ? null
    : among(
        path,
        [...known].filter((one) => one !== '').map((one) => `${root}.${one}`),
      )
}

function reasonHint(reason: unknown, { fields, sheets }: Names): Phrase | null {
  if (!isPhrase(reason)) return null
  const { name, key } = reason.params
  switch (reason.words) {
    case NO_OPERATION.words:
      return onlyNear(String(name), [...OPERATIONS.keys()])
    case NO_ACTION.words:
      return onlyNear(String(name), Object.keys(ACTIONS))
    case NO_KEY.words:
      return among(String(key), ['if', ...Object.keys(ACTIONS[String(name)]?.keys ?? {})])
    case NO_FIELD.words:
      return among(String(name), [...fields])
    case NO_SHEET.words:
      return among(String(name), [...sheets])
    default:
      return null
  }
}

const isPhrase = (value: unknown): value is Phrase =>
  typeof value === 'object' && value !== null && 'words' in value

const exactly = (meant: string): Phrase => nameHint(meant, [meant])

const onlyNear = (name: string, known: readonly string[]): Phrase | null =>
  nearestName(name, known) === null ? null : nameHint(name, known)

const among = (name: string, known: readonly string[]): Phrase | null =>
  known.length === 0 ? null : nameHint(name, known)
