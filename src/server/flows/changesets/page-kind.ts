import { isObject } from '../../../../runtime/core/json.ts'
import { findHead } from '../../kernel/pages/overrides.ts'
import { pageTitle } from '../../kernel/pages/page-title.ts'
import { judgePosted } from '../pages/check-posted.ts'
import { putPage, refuseProblems, republish } from '../pages/publish.ts'
import { invalidChange } from './invalid-change.ts'
import type { ItemKind } from './item-kind.ts'

/** A version of a page: `{ path, document, base }`. */
export const PAGE: ItemKind = {
  permission: 'system:form',
  async read({ path, document, base }, { services }) {
    const isDocument = typeof document === 'string' || isObject(document)
    if (typeof path !== 'string' || !isDocument || !Number.isInteger(base)) return invalidChange('page')
    return { name: services.pages.pathOf(path), content: { document }, base: base ?? 0 }
  },
  async apply({ name: path, content, base }, { ctx, services, host, note, coming }) {
    const { trx, caller } = ctx
    const was = (await findHead(trx, caller.tenantId, path))?.revision ?? 0
    const checked = await judgePosted(
      { path, document: content.document ?? null },
      { trx, caller, host, ...(coming === undefined ? {} : { coming: coming.pages }) },
      services,
    )
    refuseProblems(path, checked)
    const { revision, changes } = await putPage(
      { path, base: Number(base), note, checked },
      { trx, caller },
      services,
    )
    const title = pageTitle(checked.document) || services.pages.routeOf(path).title || path
    return { title, words: changes, undo: { revision: was }, became: { revision } }
  },
  async now(path, _, { ctx: { trx, caller } }) {
    return { revision: (await findHead(trx, caller.tenantId, path))?.revision ?? 0 }
  },
  async revert(path, undo, { ctx: { trx, caller }, services }) {
    await republish({ path, revision: Number(undo.revision) }, { trx, caller }, services)
  },
}
