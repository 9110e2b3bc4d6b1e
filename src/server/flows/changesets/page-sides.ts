import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { findRevision } from '../../kernel/pages/overrides.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { applyAll, dryRun } from './apply.ts'
import { documentIn } from './put.ts'
import { type ChangeSet, findSet, type Item, itemsOf, wordsIn } from './store.ts'

interface SidesQuery {
  readonly id: string
  readonly path: string
}

/**
 * A page of a set before and after, both as served: with the fields, values and menus of the set.
 * For a published set: what it published, and what that replaced.
 *
 * @throws Refusal 404 for a page that is not in it, 400 for a text that is not a page
 */
export async function pageSides(
  { id, path }: SidesQuery,
  caller: Caller,
  services: Services,
): Promise<JsonObject> {
  const { set, items } = await runRead(services, caller, async (ctx) => {
    const found = await findSet(id, ctx)
    return { set: found, items: await itemsOf(found.id, ctx) }
  })
  const item = items.find(({ kind, name }) => kind === 'page' && name === path)
  if (item === undefined) return refuse(404, 'NOT_FOUND', text('call.not-found'))
  const { content, undo } = item
  const isDone = isObject(undo)
  return {
    title: item.title,
    changes: [...wordsIn(item.words)],
    done: isDone,
    before: await runRead(services, caller, ({ trx }) =>
      isDone
        ? versionServed(path, Number(undo.revision), { trx, caller, services })
        : pageNow(path, { trx, caller, services }),
    ),
    after: await dryRun(services.database, caller, async (trx) => {
      if (!isDone) await applyOtherItems(set, items, { trx, caller, services })
      return services.pages.served(trx, caller.tenantId, documentIn(isObject(content) ? content : {}))
    }),
  }
}

interface ApplyContext {
  readonly trx: Trx
  readonly caller: Caller
  readonly services: Services
}

/** Names that the page may use although they do not exist yet. */
async function applyOtherItems(set: ChangeSet, items: readonly Item[], hand: ApplyContext): Promise<void> {
  const otherItems = items.filter(({ kind }) => kind !== 'page')
  await applyAll(set, otherItems, hand)
}

async function pageNow(path: string, { trx, caller, services: { pages } }: ApplyContext): Promise<Json> {
  return (await pages.find(trx, caller.tenantId, path))?.document ?? null
}

/** A version as it would be served now; 0: the product's page. */
async function versionServed(
  path: string,
  revision: number,
  { trx, caller: { tenantId }, services: { pages } }: ApplyContext,
): Promise<Json> {
  const found =
    revision === 0
      ? await pages.shipped(trx, tenantId, path)
      : await findRevision(trx, tenantId, path, revision)
  return found === null ? null : pages.served(trx, tenantId, found.document)
}
