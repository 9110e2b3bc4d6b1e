import { readSheet } from 'read-excel-file/node'
import { expect } from 'vitest'
import type { Answer, Client, TestApp } from '../support.ts'

export interface Job {
  readonly id: string
  readonly ok: number
  readonly fileUrl: string
  readonly message: string
}

/** The job that an answer names, once it has come to its end. */
export async function finished(client: Client, answer: Answer): Promise<Job> {
  expect(answer.meta.message).toBe('')
  const { jobId } = answer.data
  await expect
    .poll(async () => (await client.get(`/mini/job/detail?id=${jobId}`)).data.status, { timeout: 20_000 })
    .not.toMatch(/waiting|running/)
  return (await client.get(`/mini/job/detail?id=${jobId}`)).data
}

/** The rows of a sheet at an address that the server gave out. */
export async function readSheetOf(server: TestApp, url: string): Promise<readonly (readonly unknown[])[]> {
  const { rawPayload } = await server.app.inject({ url })
  return readSheet(rawPayload)
}
