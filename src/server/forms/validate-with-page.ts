import type { FastifyBaseLogger } from 'fastify'
import {
  createRegistry,
  type Json,
  type JsonObject,
  type Page,
  parsePage,
  type Script,
  validateWithScripts,
} from '../../../runtime/core/index.ts'
import type { PageLibrary } from '../pages/library.ts'
import type { PageVersion } from '../pages/page-version.ts'
import type { Asking } from '../records/asking.ts'
import { isTextCode, text } from '../text.ts'

/**
 * Judges the fields of a write with the form page its screen shows.
 * @returns message by field address; empty when the page has nothing against it
 */
export type FormCheck = (values: JsonObject) => Promise<Readonly<Record<string, string>>>

/** Where a fault stands that belongs to no field. */
export const FORM_FAULT = 'form'

/** What judging takes: the published pages, and where their code runs. */
export interface FormJudge {
  readonly pages: PageLibrary
  readonly script: Script
  readonly log: FastifyBaseLogger
}

/** Parsed pages by ETag: a publish makes a new one. */
const parsed = new Map<string, Page | null>()
const KEPT_MOST = 100
const registry = createRegistry()

/**
 * The check by the published page of a form: the tenant's own, otherwise the product's (DESIGN 6). A tenant without
 * the page, or a page that cannot be opened, has nothing against a write: the server's own rules still hold.
 *
 * @param formPage  route of the page; parameters behind it are the page's (`?module=lead`)
 */
export function validateWithPage(judge: FormJudge, formPage: string, asking: Asking): FormCheck {
  const [path = '', query] = formPage.split('?')
  const params = Object.fromEntries(new URLSearchParams(query))
  return async (values) => {
    const version = await judge.pages.find(asking.trx, asking.caller.tenantId, path)
    const page = version === null ? null : pageOf(version)
    if (page === null) return {}
    const errors = await validateWithScripts({
      page,
      values: { ...flatContact(values), ...values },
      text: (code, params) => (isTextCode(code) ? text(code, params) : code),
      now: () => asking.now.getTime(),
      params: typeof values.id === 'string' ? { ...params, id: values.id } : params,
      user: userOf(asking),
      script: judge.script,
      onReport: (report) => judge.log.warn({ path, report }, 'the code of a form page failed'),
    })
    return Object.fromEntries(errors.map(({ address, message }) => [address || FORM_FAULT, message]))
  }
}

function pageOf(version: PageVersion): Page | null {
  const known = parsed.get(version.etag)
  if (known !== undefined) return known
  const result = parsePage(version.document, { registry })
  const page = result.ok ? result.page : null
  if (parsed.size >= KEPT_MOST) parsed.clear()
  parsed.set(version.etag, page)
  return page
}

/** The quick form asks for one contact in fields of its own; a write carries it in `contacts`. */
function flatContact(values: JsonObject): JsonObject {
  const contacts: readonly Json[] = Array.isArray(values.contacts) ? values.contacts : []
  const [first] = contacts as readonly JsonObject[]
  return { contact_name: first?.name ?? null, contact_mobile: first?.mobile ?? null }
}

/** What rules may read of the caller, as the client gives it to them. */
function userOf({ caller }: Asking): JsonObject {
  return {
    id: caller.userId,
    name: caller.name,
    roles: [...caller.roles],
    permissions: [...caller.permissions],
    deptId: caller.deptId,
  }
}
