import { isObject, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import { labelText } from '../../../model/labels.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { callContextOf } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { readOverrides } from '../../kernel/model/overrides.ts'
import { readJsonText } from '../../kernel/pages/read-files.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { createFairQueue, QueueFull } from '../../kernel/threads/fair-queue.ts'
import { applyAll, doingOf, dryRun, type Outcome } from '../changesets/apply.ts'
import type { Change, ChangeContext } from '../changesets/item-kind.ts'
import { KIND } from '../changesets/kinds.ts'
import { asPackaged, packagedRevision } from '../changesets/packaged-pages.ts'
import { beginSet, type ChangeSet, findSet, itemsOf, storeItem } from '../changesets/store.ts'
import { mergedOver } from '../modelling/definition-file.ts'
import { pageName } from '../pages/page-name.ts'
import { readMenus } from '../sign-in/menus.ts'
import { nameOf, type Package, type PackageItem, readPackage } from './package-file.ts'

/** A change in a package, as stored in a set. */
interface PackagedChange {
  readonly kind: PackageItem['kind']
  readonly change: Change
  readonly title: string
  readonly words: readonly string[]
}

/** @throws Refusal 400 for anything that is not a package, was edited by hand, or is too big */
export function packageIn(written: string): Package {
  const read = readPackage(written)
  return typeof read === 'string' ? refuse(400, 'VALIDATION', text(`package.${read}`)) : read
}

/** Says of which modules a package brings an approval as their description has it, not as it was set on screens there. '' if of none. */
export function flowsMissing({ items }: Package, outcomes: readonly Outcome[]): string {
  const names = items.flatMap(({ kind, change }) => {
    if (kind !== 'module' || !isObject(ownValue(change.description, 'approval'))) return []
    const name = nameOf({ kind, change })
    const found = outcomes.find(({ item }) => item.kind === kind && item.name === name)
    return [found?.done?.title ?? found?.item.title ?? name]
  })
  return names.length === 0 ? '' : text('package.flows-missing', { names: names.join('、') })
}

/** A check holds the lock on the tenant's modules until it is rolled back: others of the tenant wait without a session of the database. */
const queue = createFairQueue({ most: 2, share: 1, waiting: 3 })

/**
 * What a package would change here: everything is applied and rolled back.
 *
 * @throws Refusal 429 if others are waiting already
 */
export async function tryPackage(
  given: Package,
  { caller, host }: { readonly caller: Caller; readonly host: string },
  services: Services,
): Promise<readonly Outcome[]> {
  const attempt = () =>
    dryRun(services.database, caller, async (trx) => {
      const ctx = await callContextOf(services, caller, trx)
      const set = await setOf(given, host, ctx, services)
      return applyAll(set, await itemsOf(set.id, ctx), { trx, caller, services })
    })
  try {
    return await queue.run(caller.tenantId, attempt)
  } catch (error) {
    if (error instanceof QueueFull) refuse(429, 'RATE_LIMIT', text('package.checks-waiting'))
    throw error
  }
}

/** Creates a change set from a package, to be reviewed and published. @returns its id */
export async function setOf(
  given: Package,
  host: string,
  ctx: CallContext,
  services: Services,
  outcomes: readonly Outcome[] = [],
): Promise<ChangeSet> {
  const set = await findSet(await beginSet(given.title || text('package.title'), host, ctx), ctx)
  const { trx, caller } = ctx
  for (const item of given.items) {
    const doing = await doingOf(set, { trx, caller, services })
    const read = await KIND[item.kind].read(await overWhatIsThere(item, ctx), doing, () => undefined)
    const change = item.kind === 'page' ? asPackaged(read) : read
    const outcome = outcomes.find(
      ({ item: applied }) => applied.kind === item.kind && applied.name === change.name,
    )
    const { title, words } = titleAndWords(item, change, outcome, doing)
    await storeItem(set, item.kind, change, { title, words }, ctx)
  }
  return set
}

function titleAndWords(
  item: PackageItem,
  change: Change,
  outcome: Outcome | undefined,
  { ctx: { model }, services: { pages } }: ChangeContext,
): Pick<PackagedChange, 'title' | 'words'> {
  if (outcome?.done) return outcome.done
  const name = nameOf(item) || change.name
  if (item.kind === 'page') {
    const { content = null } = readJsonText(String(item.change.document), '')
    return { title: pageName({ path: change.name, document: content }, model, pages), words: [] }
  }
  if (item.kind !== 'module') return { title: name, words: [] }
  const label = ownValue(item.change.description, 'label')
  if (typeof label === 'string' && label !== '') return { title: label, words: [] }
  return { title: labelText(model.modules.get(name)?.label ?? name), words: [] }
}

/** A change applied to existing data: fields of a module that the package does not name stay, a menu of the same page is changed. */
async function overWhatIsThere(
  { kind, change }: PackageItem,
  { trx, caller }: CallContext,
): Promise<JsonObject> {
  const { tenantId } = caller
  if (kind === 'page') {
    return { ...change, base: await packagedRevision(String(change.path), { trx, caller }) }
  }
  if (kind === 'module' && isObject(change.description)) {
    const { description } = change
    const existing = (await readOverrides(trx, tenantId)).find(
      (one) => one.name === description.name && !one.deleted,
    )
    return existing === undefined ? change : { description: mergedOver(existing.description, description) }
  }
  if (kind === 'menu') {
    const existing = (await readMenus(trx, tenantId)).find(({ path }) => path === change.path)
    return existing === undefined ? change : { ...change, id: existing.id }
  }
  return change
}
