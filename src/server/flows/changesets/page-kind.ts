import { isObject, sameJson } from '../../../../runtime/core/json.ts'
import { findHead, findWritten } from '../../kernel/pages/overrides.ts'
import { text } from '../../kernel/text/text.ts'
import { judgePosted } from '../pages/check-posted.ts'
import { pageName } from '../pages/page-name.ts'
import { putPage, refuseProblems, republish } from '../pages/publish.ts'
import { invalidChange } from './invalid-change.ts'
import { type ItemKind, unchanged } from './item-kind.ts'

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
    const before = await findWritten(trx, caller.tenantId, path)
    const was = before?.revision ?? 0
    const checked = await judgePosted(
      { path, document: content.document ?? null },
      { trx, caller, host, ...(coming === undefined ? {} : { coming: coming.pages }) },
      services,
    )
    refuseProblems(path, checked)
    const title = pageName({ path, document: checked.document }, ctx.model, services.pages)
    const isSame = before !== null && sameJson(before.document, checked.document)
    const isSameText = checked.text === null || before?.text === null || before?.text === checked.text
    if (isSame && isSameText) return unchanged(title, { revision: was })
    const { revision, changes } = await putPage(
      { path, base: Number(base), note, checked },
      { trx, caller },
      services,
    )
    const words = isSame ? [text('changeset.page.format')] : changes
    return { title, words, undo: { revision: was }, became: { revision } }
  },
  async now(path, _, { ctx: { trx, caller } }) {
    return { revision: (await findHead(trx, caller.tenantId, path))?.revision ?? 0 }
  },
  async revert(path, undo, { ctx: { trx, caller }, services }) {
    await republish({ path, revision: Number(undo.revision) }, { trx, caller }, services)
  },
}
