import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { fingerprint } from '../../kernel/lists/cursor.ts'
import type { Work } from './work.ts'

/** Exports hold what the rights of their person showed; other work hands out no more than what they gave. */
const handsOut = ({ kind }: Pick<Work, 'kind'>): boolean => kind === 'export'

/** Where the input of an export remembers the rights that its file was made with. */
const MADE_WITH = 'rights'

/**
 * A fingerprint of the rights by which an export reads: permissions, scopes, field rights and the place they count from. Take the caller as sessions have
 * them.
 */
export function madeWith(caller: Caller): { readonly [MADE_WITH]: string } {
  const { deptId, deptPath, permissions, scopes, customDepts, fieldRights } = caller
  const rights = [deptId, deptPath, [...permissions].sort(), scopes, customDepts, fieldRights]
  return { [MADE_WITH]: fingerprint(rights) }
}

/** The input of work that is done, with the rights that its result was made with if it hands out data. */
export function inputWithRights(work: Pick<Work, 'kind' | 'input'>, caller: Caller): JsonObject {
  const input = isObject(work.input) ? work.input : {}
  return handsOut(work) ? { ...input, ...madeWith(caller) } : input
}

/**
 * Whether its person may still have the file: exports hold what their rights showed then (DOMAIN 2.5). One of before that was remembered counts as made with
 * others: nothing says with which, and it lives for a day.
 */
export function isStillTheirs(work: Pick<Work, 'kind' | 'input'>, caller: Caller): boolean {
  if (!handsOut(work)) return true
  const made: Json | undefined = isObject(work.input) ? work.input[MADE_WITH] : undefined
  return made === madeWith(caller)[MADE_WITH]
}

/** The same for a file; one that belongs to no work is nobody's result. */
export async function isFileStillTheirs(trx: Trx, fileId: string, caller: Caller): Promise<boolean> {
  const { rows } = await sql<Pick<Work, 'kind' | 'input'>>`select kind, input from work
    where tenant_id = ${caller.tenantId} and file_id = ${fileId}`.execute(trx)
  return rows.every((work) => isStillTheirs(work, caller))
}
