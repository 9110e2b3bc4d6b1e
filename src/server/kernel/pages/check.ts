import { problem } from '../../../../runtime/core/errors.ts'
import {
  createRegistry,
  isObject,
  type Json,
  type KnownNames,
  type Problem,
  parsePage,
  parseStrictly,
} from '../../../../runtime/core/index.ts'
import { ownValue } from '../../../../runtime/core/json.ts'
import { GUESTS } from '../../../contract/workbench-widget.ts'
import { checkCode } from './check-code.ts'
import { PERMISSIONS, USER_FACTS } from './names.ts'

const registry = createRegistry()
for (const guest of GUESTS) registry.register(guest)

/** The core's check of a document: all problems, none for a good page. */
export type CheckPage = (document: Json, known?: KnownNames) => readonly Problem[]

/** Whether a document opens as a page: the same check as the client's. */
export const checkPage: CheckPage = (document) => {
  const parsed = parsePage(document, { registry })
  return parsed.ok ? parsed.warnings : parsed.problems
}

/** What its author is told of a document: also of words and names that mean nothing, and of code that cannot be compiled, which the designer of plain VForm lets through. */
export const checkStrictly: CheckPage = (document, known = {}) => {
  const parsed = parseStrictly(
    document,
    { registry },
    { permissions: PERMISSIONS, user: USER_FACTS, ...known },
  )
  const isOurs = isObject(ownValue(ownValue(document, 'formConfig'), 'page'))
  const code = checkCode(document, isOurs ? 'error' : 'warning')
  return [...(parsed.ok ? parsed.warnings : parsed.problems), ...code]
}

/** All that its author is told of a page before others see it: {@link checkStrictly}, and a page with nothing on it. */
export const checkAsAuthor: CheckPage = (document, known) => {
  const widgets = ownValue(document, 'widgetList')
  const isEmpty = Array.isArray(widgets) && widgets.length === 0
  return [...checkStrictly(document, known), ...(isEmpty ? [problem('PAGE_EMPTY', '/widgetList')] : [])]
}
