import type { Services } from '../../kernel/calls/resource.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { filesOf } from '../../kernel/files/store-file.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** A file that the caller uploaded. @throws Refusal 404 if it is not theirs */
export async function findOwnFile(
  fileId: string,
  { trx, caller }: CallContext,
): Promise<{ readonly size: number }> {
  const file = await trx
    .selectFrom('file')
    .select('size')
    .where('tenant_id', '=', caller.tenantId)
    .where('id', '=', fileId)
    .where('created_by', '=', caller.userId)
    .executeTakeFirst()
  if (file === undefined) return refuse(404, 'NOT_FOUND', text('sheet.no-file'))
  return { size: Number(file.size) }
}

/** The content of the file; read outside any transaction. */
export async function readFileContent(services: Services, tenantId: string, fileId: string): Promise<Buffer> {
  const stream = await filesOf(services).read(tenantId, fileId)
  if (stream === null) refuse(404, 'NOT_FOUND', text('sheet.no-file'))
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
