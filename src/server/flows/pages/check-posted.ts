import type { KnownNames } from '../../../../runtime/core/index.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import type { PageProblem } from '../../../contract/pages.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { checkApart } from '../../kernel/pages/check-apart.ts'
import { placeOf } from '../../kernel/pages/json-place.ts'
import { namesOfTenant } from '../../kernel/pages/names.ts'
import { allowedOrigins, refusedOrigins } from '../../kernel/pages/page-origins.ts'
import { readJsonText, unreadable } from '../../kernel/pages/read-files.ts'
import { fileOf } from '../../kernel/pages/served.ts'
import { shownProblem } from '../../kernel/text/author.ts'
import { text } from '../../kernel/text/text.ts'
import { unknownConnections } from '../connections/find-connection.ts'

/** A posted page: a document, or the text of one. */
export interface Posted {
  readonly path: string
  readonly document: Json
}

/** A posted page, parsed and checked. */
export interface CheckedPost {
  /** Null if a text cannot be parsed. */
  readonly document: Json
  /** Byte for byte, if a text was posted. */
  readonly text: string | null
  /** Problems that prevent publishing. */
  readonly problems: readonly PageProblem[]
  readonly advice: readonly PageProblem[]
  /** With references replaced; null if a text cannot be parsed. */
  readonly resolved: Json
}

/** The author, and our own origins. */
export interface From {
  readonly caller: Caller
  readonly host: string
  /** From elsewhere: addresses that are not allowed here are reported but accepted; requests to them are refused. */
  readonly isImported?: boolean
  /** Paths of pages that are published together with it. */
  readonly coming?: ReadonlySet<string>
}

type Parts = Pick<Services, 'config' | 'database' | 'pages'>

/** {@link judgePosted}, with a transaction only for what it reads: none is open while the page is checked. */
export async function checkPosted(posted: Posted, from: From, services: Parts): Promise<CheckedPost> {
  const read = readPosted(posted)
  if (read.content === undefined) return unreadablePost(read)
  const { content } = read
  const named = await services.database.tenant(from.caller, (trx) =>
    readNames({ path: posted.path, content }, { ...from, trx }, services.pages),
  )
  return judge({ ...read, content, path: posted.path }, named, from, services)
}

/** Checks a page like `npm run check:pages`, and with the tenant's dictionaries, origins, connections and pages. */
export async function judgePosted(
  posted: Posted,
  from: From & { readonly trx: Trx },
  services: Pick<Services, 'config' | 'pages'>,
): Promise<CheckedPost> {
  const read = readPosted(posted)
  if (read.content === undefined) return unreadablePost(read)
  const { content } = read
  const named = await readNames({ path: posted.path, content }, from, services.pages)
  return judge({ ...read, content, path: posted.path }, named, from, services)
}

interface ReadPost extends ReturnType<typeof readJsonText> {
  /** Null if a document was posted. */
  readonly written: string | null
}

function readPosted({ path, document }: Posted): ReadPost {
  const file = fileOf(path)
  return typeof document === 'string'
    ? { ...readJsonText(document, file), written: document }
    : { file, content: document, written: null }
}

const unreadablePost = (read: ReadPost): CheckedPost => ({
  document: null,
  text: read.written,
  problems: unreadable(read),
  advice: [],
  resolved: null,
})

/** What a page is checked against that only the database knows. */
interface NamesOfPost {
  readonly known: KnownNames
  readonly unknown: Awaited<ReturnType<typeof unknownConnections>>
}

async function readNames(
  { path, content }: { readonly path: string; readonly content: Json },
  { trx, caller, coming = new Set() }: From & { readonly trx: Trx },
  pages: Parts['pages'],
): Promise<NamesOfPost> {
  const known = await knownNames(trx, caller.tenantId, [path, ...coming], pages)
  return { known, unknown: await unknownConnections(trx, caller.tenantId, content) }
}

async function judge(
  {
    file,
    content,
    written,
    path,
  }: Pick<ReadPost, 'file' | 'written'> & { readonly content: Json; readonly path: string },
  { known, unknown }: NamesOfPost,
  { caller, host, isImported = false }: From,
  { config, pages }: Pick<Services, 'config' | 'pages'>,
): Promise<CheckedPost> {
  const { document, problemsWith } = pages.resolved(path, content)
  const problems = problemsWith(await checkApart(caller.tenantId, { document, known }))
  const placed = (found: Omit<PageProblem, 'line' | 'column'>): PageProblem =>
    written === null || found.file !== file ? found : { ...found, ...placeOf(written, found.at) }
  const problemsOf = (severity: string): PageProblem[] =>
    problems
      .filter((problem) => problem.severity === severity)
      .map((problem) => placed({ ...shownProblem(problem), file: problem.file }))
  const refused = refusedOrigins(document, host, allowedOrigins(config, caller.tenant.settings))
  const outside = [
    ...refused.map(({ at, origin }) => ({
      code: 'ORIGIN_REFUSED',
      at,
      message: text('page.origin', { origin }),
    })),
    ...unknown.map(({ at, name, nearest }) => ({
      code: 'CONNECTION_UNKNOWN',
      at,
      message:
        nearest === null
          ? text('page.connection', { name })
          : text('page.connection-near', { name, nearest }),
    })),
  ].map((one) => placed({ ...one, hint: '', file }))
  return {
    document: content,
    text: written,
    problems: [...problemsOf('error'), ...(isImported ? [] : outside)],
    advice: [...problemsOf('warning'), ...(isImported ? outside : [])],
    resolved: document,
  }
}

/** Names that the page may use: the tenant's own pages among its routes, including itself and those that come with it. */
async function knownNames(
  trx: Trx,
  tenantId: string,
  added: readonly string[],
  pages: Parts['pages'],
): Promise<KnownNames> {
  const published = await pages.published(trx, tenantId)
  return namesOfTenant(trx, tenantId, new Set([...pages.addresses(), ...published.keys(), ...added]))
}
