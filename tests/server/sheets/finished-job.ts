import { sql } from 'kysely'
import { readSheet } from 'read-excel-file/node'
import { expect } from 'vitest'
import type { UploadedFile } from '../../../src/contract/files.ts'
import { newId } from '../../../src/server/kernel/db/id.ts'
import type { Answer, Client, TestApp } from '../support.ts'

export interface Job {
  readonly id: string
  readonly ok: number
  readonly fileUrl: string
  readonly message: string
  /** The first refused rows. */
  readonly refused: readonly { readonly at: number; readonly column: string; readonly reason: string }[]
}

/** The job that an answer names, once it has ended. */
export async function finished(client: Client, answer: Answer): Promise<Job> {
  expect(answer.meta.message).toBe('')
  const { jobId } = answer.data
  await expect
    .poll(async () => (await client.get(`/mini/job/detail?id=${jobId}`)).data.status, { timeout: 20_000 })
    .not.toMatch(/waiting|running/)
  return (await client.get(`/mini/job/detail?id=${jobId}`)).data
}

/** The rows of a sheet at a signed address. */
export async function readSheetOf(server: TestApp, url: string): Promise<readonly (readonly unknown[])[]> {
  const { rawPayload } = await server.app.inject({ url })
  return readSheet(rawPayload)
}

/** The id of an uploaded file; null if its type is refused. */
export async function uploadedBytes(
  server: TestApp,
  client: Client,
  content: Buffer,
  name = '导入.xlsx',
): Promise<string | null> {
  return (await uploadedFile(server, client, content, name))?.id ?? null
}

/** An uploaded file as an upload field keeps it; null if its type is refused. */
export async function uploadedFile(
  { app }: TestApp,
  client: Client,
  content: Buffer,
  name: string,
): Promise<UploadedFile | null> {
  const boundary = newId()
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const { payload } = await app.inject({
    method: 'POST',
    url: '/engine/web/file/upload',
    headers: { authorization: client.token, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  })
  return JSON.parse(payload).data ?? null
}

/** A file that a person uploaded, by its record alone. */
export async function knownFile(server: TestApp, id: string, by = 'u-demo'): Promise<void> {
  await server.database.system((trx) =>
    sql`insert into file (tenant_id, id, name, file_ext, mime, size, sha256, created_by)
      values ('xinghai', ${id}, ${id}, 'png', 'image/png', 10, '', ${by})`.execute(trx),
  )
}
