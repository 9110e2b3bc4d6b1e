import type { IncomingMessage } from 'node:http'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Refusal, refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { FILE_LIMIT_BYTES } from './file-types.ts'

/** Room for the fields, names and boundaries besides the file. */
const BESIDE_BYTES = 128 * 1024

export interface Upload {
  readonly filename: string
  readonly content: Buffer
}

/**
 * The file in a form that is being uploaded. Nothing beyond the limit is read. @throws Refusal 413 if it is larger, 400 without a file or for an
 * incomplete form
 */
export function readUpload(request: FastifyRequest): Promise<Upload> {
  return within(request.raw, FILE_LIMIT_BYTES + BESIDE_BYTES, () => readForm(request).catch(refuseBroken))
}

async function readForm(request: FastifyRequest): Promise<Upload> {
  const part = request.isMultipart() ? await request.file() : undefined
  if (part === undefined) refuse(400, 'VALIDATION', text('file.missing'))
  return { filename: part.filename, content: await contentOf(part) }
}

/** Errors of the parser are errors in the request: a form without an end, an invalid boundary, a lost connection. */
function refuseBroken(error: unknown): never {
  if (error instanceof Refusal) throw error
  refuse(400, 'VALIDATION', text('call.invalid'), { detail: error instanceof Error ? error.message : 'form' })
}

/** Whether the file was truncated is checked at its end, because the parser may report it after the last piece. */
async function contentOf({ file }: MultipartFile): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of file) chunks.push(chunk)
  return file.truncated ? refuseTooLarge() : Buffer.concat(chunks)
}

/** Reads a body until it ends or exceeds `most` bytes; the rest is discarded. */
function within<T>(raw: IncomingMessage, most: number, read: () => Promise<T>): Promise<T> {
  if (Number(raw.headers['content-length'] ?? 0) > most) refuseTooLarge()
  return new Promise((resolve, reject) => {
    let remaining = most
    const count = (chunk: Buffer): void => {
      remaining -= chunk.length
      if (remaining >= 0) return
      raw.off('data', count)
      raw.unpipe()
      try {
        refuseTooLarge()
      } catch (error) {
        reject(error)
      }
    }
    read()
      .then(resolve, reject)
      .finally(() => raw.off('data', count))
    raw.on('data', count)
  })
}

const refuseTooLarge = (): never =>
  refuse(413, 'FILE_TOO_LARGE', text('file.too-large', { size: FILE_LIMIT_BYTES / 1024 / 1024 }))
