import type { Caller } from '../../kernel/auth/caller.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { findOwnFile, readFileContent } from '../sheets/import-file.ts'

/**
 * The text of a file that the caller has uploaded, byte for byte.
 *
 * @param most  maximum size in bytes
 * @throws Refusal 404 if it is not theirs, 400 if it is too big
 */
export async function fileText(
  services: Services,
  caller: Caller,
  fileId: string,
  most = Number.POSITIVE_INFINITY,
): Promise<string> {
  const { size } = await runRead(services, caller, (ctx) => findOwnFile(fileId, ctx))
  if (size > most) refuse(400, 'VALIDATION', text('package.too-big'))
  return (await readFileContent(services, caller.tenantId, fileId)).toString('utf8')
}
