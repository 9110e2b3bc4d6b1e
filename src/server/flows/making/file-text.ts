import type { Caller } from '../../kernel/auth/caller.ts'
import { ask } from '../../kernel/calls/ask.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { findOwnFile, readFileContent } from '../sheets/import-file.ts'

/** The text of a file that the caller has uploaded, byte for byte. @throws Refusal 404 when it is not his */
export async function fileText(services: Services, caller: Caller, fileId: string): Promise<string> {
  await ask(services, caller, (asking) => findOwnFile(fileId, asking))
  return (await readFileContent(services, caller.tenantId, fileId)).toString('utf8')
}
