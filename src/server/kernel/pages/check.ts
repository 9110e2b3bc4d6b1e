import {
  createRegistry,
  type Json,
  type KnownNames,
  type Problem,
  parsePage,
  parseStrictly,
} from '../../../../runtime/core/index.ts'
import { checkCode } from './check-code.ts'
import { PERMISSIONS } from './names.ts'

const registry = createRegistry()

/** The core's check of a document: all problems, none for a good page. */
export type CheckPage = (document: Json, known?: KnownNames) => readonly Problem[]

/** Whether a document opens as a page: the same check as the client's. */
export const checkPage: CheckPage = (document) => {
  const parsed = parsePage(document, { registry })
  return parsed.ok ? parsed.warnings : parsed.problems
}

/** What its author is told of a document: also of words and names that mean nothing, and of code that cannot be compiled. */
export const checkStrictly: CheckPage = (document, known = {}) => {
  const parsed = parseStrictly(document, { registry }, { permissions: PERMISSIONS, ...known })
  return [...(parsed.ok ? parsed.warnings : parsed.problems), ...checkCode(document)]
}
