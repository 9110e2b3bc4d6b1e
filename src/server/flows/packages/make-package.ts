import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { labelText } from '../../../model/labels.ts'
import { entityName } from '../../kernel/approvals/entity.ts'
import { flowsSet } from '../../kernel/approvals/flow.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { OWN_MENUS_FROM } from '../../kernel/model/menu.ts'
import { readOverrides } from '../../kernel/model/overrides.ts'
import { findWritten } from '../../kernel/pages/overrides.ts'
import { isOwnPath } from '../../kernel/pages/own-paths.ts'
import { text } from '../../kernel/text/text.ts'
import { definitionsOf } from '../modelling/definition-file.ts'
import { pageName } from '../pages/page-name.ts'
import { readMenus } from '../sign-in/menus.ts'
import type { Package, PackageItem } from './package-file.ts'

/** What can be exported: everything the tenant has created or changed. */
export interface Choice {
  /** `page /pages/x/board`, `module ticket`, `menu 1003`. */
  readonly id: string
  readonly kind_name: string
  readonly label: string
  /** Both, for a list to choose from. */
  readonly text: string
  readonly detail: string
}

/** Everything of the tenant's own that a package can contain. Dictionaries are included with the modules that use them. */
export async function packable(ctx: CallContext, { pages }: Services): Promise<readonly Choice[]> {
  const { trx, caller, model } = ctx
  const published = await pages.published(trx, caller.tenantId)
  const choice = (kind: PackageItem['kind'], name: string, label: string, detail: string): Choice => ({
    id: `${kind} ${name}`,
    kind_name: text(`changeset.kind.${kind}`),
    label,
    text: `${text(`changeset.kind.${kind}`)} ${label}`,
    detail,
  })
  return [
    ...(await readOverrides(trx, caller.tenantId))
      .filter(({ deleted }) => !deleted)
      .map(({ name }) => choice('module', name, labelText(model.modules.get(name)?.label ?? name), name)),
    ...[...published.values()].map((page) =>
      choice('page', page.path, pageName(page, model, pages), page.path),
    ),
    ...(await ownMenus(ctx)).map(({ id, title, path }) => choice('menu', String(id), title, path)),
  ]
}

/** Says whose approval flows were set on screens: a package does not contain them. '' if none was. */
export async function flowsLeft(ctx: CallContext): Promise<string> {
  const names = (await flowsSet(ctx)).map((entity) => entityName(entity, ctx))
  return names.length === 0 ? '' : text('package.flows-left', { names: names.join('、') })
}

/** The selected items as one package; without a selection, everything. */
export async function makePackage(
  { title, chosen }: { readonly title: string; readonly chosen: readonly string[] },
  ctx: CallContext,
  services: Services,
): Promise<Package> {
  const all = await packable(ctx, services)
  const wanted = all.map(({ id }) => id).filter((id) => chosen.length === 0 || chosen.includes(id))
  const of = (kind: PackageItem['kind']): readonly string[] =>
    wanted.filter((id) => id.startsWith(`${kind} `)).map((id) => id.slice(kind.length + 1))
  return {
    title,
    items: [
      ...(await moduleItems(of('module'), ctx)),
      ...(await pageItems(of('page'), ctx)),
      ...(await ownMenus(ctx))
        .filter(({ id }) => of('menu').includes(String(id)))
        .map(({ id: _, parent_id: __, ...entry }): PackageItem => ({ kind: 'menu', change: plain(entry) })),
    ],
  }
}

async function moduleItems(names: readonly string[], ctx: CallContext): Promise<readonly PackageItem[]> {
  if (names.length === 0) return []
  const overrides = await readOverrides(ctx.trx, ctx.caller.tenantId)
  const { dicts, modules } = await definitionsOf(overrides, names, ctx)
  const list = (given: Json | undefined): readonly JsonObject[] =>
    Array.isArray(given) ? given.filter((one): one is JsonObject => isObject(one)) : []
  return [
    ...list(dicts).map(
      ({ key, ...rest }): PackageItem => ({ kind: 'dict', change: { id: key ?? '', ...rest } }),
    ),
    ...list(modules).map(
      ({ description }): PackageItem => ({ kind: 'module', change: { description: description ?? null } }),
    ),
  ]
}

async function pageItems(
  paths: readonly string[],
  { trx, caller }: CallContext,
): Promise<readonly PackageItem[]> {
  const items: PackageItem[] = []
  for (const path of paths) {
    const written = await findWritten(trx, caller.tenantId, path)
    if (written === null) continue
    const document = written.text ?? JSON.stringify(written.document, null, 2)
    items.push({ kind: 'page', change: { path, document } })
  }
  return items
}

/** Entries that somebody added for a tenant's own page; those of modules are included with the module. */
async function ownMenus({ trx, caller }: CallContext) {
  const menus = await readMenus(trx, caller.tenantId)
  return menus.filter(({ id, path }) => id >= OWN_MENUS_FROM && isOwnPath(path.split('?')[0] ?? ''))
}

const plain = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject
