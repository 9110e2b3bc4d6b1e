import multipart from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UploadedFile } from '../../../contract/files.ts'
import { type Caller, callerOf } from '../../kernel/auth/caller.ts'
import { isSessionOver } from '../../kernel/auth/sessions.ts'
import type { Resource, Services } from '../../kernel/calls/resource.ts'
import type { FileStore } from '../../kernel/files/file-store.ts'
import { FILE_LIMIT_BYTES, fileKind } from '../../kernel/files/file-types.ts'
import { readUpload } from '../../kernel/files/read-upload.ts'
import { readSignedUrl, signFileUrl } from '../../kernel/files/signed-url.ts'
import { filesOf, storeFile } from '../../kernel/files/store-file.ts'
import { audit, auditOf } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isFileStillTheirs } from '../work/made-with.ts'

interface FileQuery {
  readonly tenant?: string
  readonly until?: string
  readonly session?: string
  readonly sign?: string
}

type DownloadRequest = FastifyRequest<{ Params: { id: string }; Querystring: FileQuery }>

/** Uploads and downloads (DOMAIN 8.6). */
export const fileRoutes: Resource = (app, services) => {
  const store = filesOf(services)
  app.register(multipart, {
    limits: { files: 1, fileSize: FILE_LIMIT_BYTES, fields: 10, fieldSize: 10_000, parts: 20 },
  })

  app.post('/engine/web/file/upload', (request) => upload(services, request))

  app.get<{ Params: { id: string }; Querystring: FileQuery }>(
    '/engine/web/file/:id',
    { config: { public: true, raw: true, byStatus: true } },
    (request, reply) => download(services, store, request, reply),
  )
}

async function upload(services: Services, request: FastifyRequest): Promise<UploadedFile> {
  const { secret, now } = services
  const caller = callerOf(request)
  const { filename, content } = await readUpload(request)
  const kind = await fileKind(content, filename)
  if (kind === null) refuse(415, 'FILE_TYPE', text('file.type'))
  const name = nameOf(cleanName(filename), kind.ext)
  const id = await storeFile(services, caller, { name, ext: kind.ext, mime: kind.mime, content }, (trx, id) =>
    audit(trx, request, { action: 'file:upload', entity: 'file' }, { recordId: id, detail: { name } }),
  )
  return {
    id,
    name,
    url: signFileUrl(caller, id, secret, now()),
    size: content.length,
    ext: kind.ext,
  }
}

/** The last part of the name, without characters that cause problems in headers or file systems. */
function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const clean = [...last.replace(/[\p{Cc}\p{Cf}"<>|:*?]/gu, '')].slice(-100).join('')
  return clean === '' ? 'file' : clean
}

/** The file extension follows the content: `x.png.html` would be opened as a page after saving. */
function nameOf(name: string, ext: string): string {
  const [, named = ''] = /\.(\w{1,10})$/.exec(name) ?? []
  if ((SAME_AS[named.toLowerCase()] ?? named.toLowerCase()) === ext) return name
  const stem = named === '' ? name : name.slice(0, -named.length - 1)
  return stem.toLowerCase().endsWith(`.${ext}`) ? stem : `${stem}.${ext}`
}

const SAME_AS: Readonly<Record<string, string>> = { jpeg: 'jpg', heif: 'heic', text: 'txt', oga: 'ogg' }

/**
 * The person the address was made for. It expires with their session, and is refused for other signed-in users. Null for an invalid one: then the
 * caller's session is used.
 */
async function holderOf(
  { sessions, secret, now }: Services,
  { caller, params, query }: DownloadRequest,
): Promise<Caller | null> {
  const { tenant = '', until = '', session, sign } = query
  if (sign === undefined) return null
  const holder = readSignedUrl({ id: params.id, tenant, until, session, sign }, secret, now())
  const state = holder && (await sessions.find(holder.sessionId, holder.tenantId))
  if (state === null || isSessionOver(state, now())) return null
  const { userId, tenantId } = state.caller
  return caller === null || (caller.userId === userId && caller.tenantId === tenantId) ? state.caller : null
}

async function download(
  services: Services,
  store: FileStore,
  request: DownloadRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id } = request.params
  const { database } = services
  const holder = await holderOf(services, request)
  const scope = holder ?? callerOf(request)
  const file = await database.tenant(scope, async (trx) => {
    const found = await trx
      .selectFrom('file')
      .select(['name', 'mime', 'size', 'sha256', 'created_by', 'biz'])
      .where('tenant_id', '=', scope.tenantId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      // People who see the record with the file get a signed address there. Without a signature, a file is available only to its uploader or, for
      // results of background work, its owner.
      .$if(holder === null, (query) =>
        query.where('biz', '<>', 'work').where('created_by', '=', scope.userId),
      )
      .executeTakeFirst()
    const isTheirs = found?.biz !== 'work' || (await isFileStillTheirs(trx, id, scope))
    return isTheirs ? found : refuse(405, 'NO_PERMISSION', text('work.other-rights'))
  })
  const range = file && rangeOf(request.headers.range, file.size)
  const content = file === undefined ? null : await store.read(scope.tenantId, id, range)
  if (file === undefined || content === null) refuse(404, 'NOT_FOUND', text('call.not-found'))
  const kind = file.mime.startsWith('image/') ? 'inline' : 'attachment'
  if (kind === 'attachment' && (range?.start ?? 0) === 0)
    await database.tenant(scope, (trx) =>
      auditOf(
        trx,
        scope,
        request,
        { action: 'file:download', entity: 'file' },
        { recordId: id, detail: { name: file.name } },
      ),
    )
  if (range !== undefined)
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
  return reply
    .header('content-type', file.mime)
    .header('content-length', range === undefined ? file.size : range.end - range.start + 1)
    .header('accept-ranges', 'bytes')
    .header('etag', `"${file.sha256.slice(0, 32)}"`)
    .header('cache-control', kind === 'inline' ? 'private, max-age=600' : 'private, no-store')
    .header('referrer-policy', 'no-referrer')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('content-disposition', `${kind}; filename*=UTF-8''${encodeURIComponent(file.name)}`)
    .send(content)
}

/** A single byte range; other ranges are answered with the whole file. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (found === null || (found[1] === '' && found[2] === '')) return undefined
  const start = found[1] === '' ? Math.max(0, size - Number(found[2])) : Number(found[1])
  const end = found[1] === '' || found[2] === '' ? size - 1 : Math.min(Number(found[2]), size - 1)
  return start <= end && start < size ? { start, end } : undefined
}
