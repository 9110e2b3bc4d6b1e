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
import { ICON_NAMES } from '../../../../runtime/core/page/icon-names.ts'
import { GUESTS } from '../../../contract/workbench-widget.ts'
import { checkCode } from './check-code.ts'
import { checkCodeNames } from './check-code-names.ts'
import { PERMISSIONS, USER_FACTS } from './names.ts'

const ICONS: ReadonlySet<string> = new Set(ICON_NAMES)
const registry = createRegistry()
for (const guest of GUESTS) registry.register(guest)

/** The core's check of a document: all problems, none for a valid page. */
export type CheckPage = (document: Json, known?: KnownNames) => readonly Problem[]

/** Whether a document opens as a page: the same check as the client's. */
export const checkPage: CheckPage = (document) => {
  const parsed = parsePage(document, { registry })
  return parsed.ok ? parsed.warnings : parsed.problems
}

/**
 * All problems reported to the author of a document: also unknown words and names, and code that cannot be compiled, which are accepted in plain
 * VForm.
 */
export const checkStrictly: CheckPage = (document, known = {}) => {
  const parsed = parseStrictly(
    document,
    { registry },
    { permissions: PERMISSIONS, user: USER_FACTS, icons: ICONS, ...known },
  )
  const isOurs = isObject(ownValue(ownValue(document, 'formConfig'), 'page'))
  const code = checkCode(document, isOurs ? 'error' : 'warning')
  return [...(parsed.ok ? parsed.warnings : parsed.problems), ...code, ...checkCodeNames(document)]
}

/** All problems reported to the author of a page before it is published: {@link checkStrictly}, and a page without content. */
export const checkAsAuthor: CheckPage = (document, known) => {
  const widgets = ownValue(document, 'widgetList')
  const isEmpty = Array.isArray(widgets) && widgets.length === 0
  return [...checkStrictly(document, known), ...(isEmpty ? [problem('PAGE_EMPTY', '/widgetList')] : [])]
}
