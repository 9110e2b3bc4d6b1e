import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { PoolEntity } from '../../kernel/context/entities.ts'
import { nameFailed } from '../../kernel/records/name-failed.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { text } from '../../kernel/text/text.ts'
import { transferOwn } from '../../modules/own-records/owner.ts'
import { transfer } from '../moves/transfer.ts'
import { storeResult } from '../work/result-file.ts'
import type { WorkHandler } from '../work/runner.ts'
import { isOwnEntity, moduleOfEntity, rightsOfEntity } from './own-sheets.ts'
import { createSheetWriter } from './write-sheet.ts'

/** Maximum records of one large transfer. */
export const MAX_TRANSFER = 5_000
const STEP = 100

interface Failed {
  readonly id: string
  readonly name: string
  readonly message: string
}

/** Transfers more records than one call may (DOMAIN 8.4), a hundred per transaction, which also stores the progress. */
export const transferHandler: WorkHandler = {
  permission: ({ entity }) =>
    `${isOwnEntity(entity) ? rightsOfEntity(entity) : (entity as PoolEntity)}:transfer`,
  async run(job) {
    const { entity } = job.work
    const { ids: given, ...body } = isObject(job.work.input) ? job.work.input : {}
    const ids = Array.isArray(given) ? given.map(String) : []
    let { ok, failed } = job.work
    for (let at = job.work.done; at < ids.length; at += STEP) {
      const step = ids.slice(at, at + STEP)
      const answer = await job.inTrx(async (ctx) => {
        const { data } = await transferStep(entity, { ...body, ids: step }, ctx)
        const named = (await nameFailed(entity, data, ctx)) as unknown as {
          ok: string[]
          failed: Failed[]
        }
        const failures = named.failed.map(({ id, name, message }) => [name === '' ? id : name, message])
        await job.progress(
          {
            done: at + step.length,
            ok: ok + named.ok.length,
            failed: failed + named.failed.length,
            failures,
          },
          ctx.trx,
        )
        return named
      })
      ok += answer.ok.length
      failed += answer.failed.length
    }
    const message = text('sheet.transferred', { ok, failed })
    if (failed === 0) return { message }
    const { failures } = await job.inTrx(({ trx, caller }) =>
      trx
        .selectFrom('work')
        .select('failures')
        .where('tenant_id', '=', caller.tenantId)
        .where('id', '=', job.work.id)
        .executeTakeFirstOrThrow(),
    )
    const sheet = createSheetWriter([32, 48])
    sheet.row([text('sheet.record'), text('sheet.reason')])
    for (const [name, reason] of failures as [string, string][]) sheet.row([name, reason])
    const fileName = text('sheet.errors-name', { title: job.work.title })
    return { message, fileId: await storeResult(job, fileName, sheet.end()), fileName }
  },
}

const transferStep = (entity: string, body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> =>
  isOwnEntity(entity)
    ? transferOwn(moduleOfEntity(entity, ctx), body, ctx)
    : transfer(entity as PoolEntity, body, ctx)
