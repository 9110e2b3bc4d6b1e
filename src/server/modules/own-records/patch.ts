import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { text } from '../../kernel/text/text.ts'
import { eachOwn } from './batch.ts'
import { findOwnRecord } from './record.ts'
import { lockOwnTree } from './tree.ts'
import { updateOwnRecord } from './write-record.ts'

/** Sets fields on several records, each independently and in its current state. @param body  `ids` ≤ 200, and fields with `patch` */
export async function patchOwn(
  module: MergedModule,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { ids: _, ...fields } = body
  refuseFaults(unpatched(module, fields))
  await lockOwnTree(module, ctx, fields)
  const patchOne = async (_: MergedModule, id: string) => {
    const { version } = await findOwnRecord(module, id, ctx, true)
    await updateOwnRecord(module, { ...fields, id, version }, ctx)
  }
  return eachOwn(patchOne, module, body, ctx)
}

/** Messages for fields that can only be set on a single record. */
function unpatched({ fields }: MergedModule, given: JsonObject): Readonly<Record<string, string>> {
  const open = new Set(fields.filter(({ patch }) => patch === true).map(({ name }) => name))
  return Object.fromEntries(
    Object.keys(given)
      .filter((name) => !open.has(name))
      .map((name) => [name, text('record.unknown-field')]),
  )
}
