import { ownValue } from '../../../../runtime/core/json.ts'
import { pathOf } from '../../../model/derived/parts.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { pageTitle } from '../../kernel/pages/page-title.ts'
import { readJsonFolder } from '../../kernel/pages/read-files.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { pageSource, refuseUnknown } from '../pages/versions.ts'

/** A starting point for a new page. */
interface Start {
  readonly value: string
  readonly label: string
}

interface Starts {
  readonly templates: readonly Start[]
  readonly modules: readonly Start[]
  readonly pages: readonly Start[]
}

/** Templates (`schemas/page-templates`) in the order of their files, lists, forms and details of the modules, and every existing page. */
export async function pageStarts(
  { trx, caller }: CallContext,
  { config, modules, pages }: Services,
): Promise<Starts> {
  const templates = [...(await readJsonFolder(config.schemasDir, 'page-templates'))].sort()
  const all = await pages.all(trx, caller.tenantId)
  const existingPaths = new Set(all.map(({ path }) => path))
  const known = (await modules.within(trx, caller.tenantId)).modules
  return {
    modules: [...known.values()].flatMap(startsOf).filter(({ value }) => existingPaths.has(value)),
    templates: templates.map(([name, { content }]) => ({
      value: name,
      label: pageTitle(content ?? null) || name,
    })),
    pages: all
      .map(({ path, document }) => ({
        value: path,
        label: `${pageTitle(document) || pages.routeOf(path).title} ${path}`.trim(),
      }))
      .sort((a, b) => (a.value < b.value ? -1 : 1)),
  }
}

const KINDS = ['list', 'form', 'detail'] as const

/** The pages of a module from which another one can be started. */
function startsOf({ name, label, origin, pages }: MergedModule): Start[] {
  const paths = { list: pathOf(name, 'index'), form: pathOf(name, 'add'), detail: pathOf(name, 'detail') }
  const pagePaths = origin === 'tenant' ? paths : (pages ?? {})
  return KINDS.flatMap((kind) => {
    const value = pagePaths[kind]
    const words = { module: labelText(label), kind: text(`page.start.${kind}`) }
    return value === undefined ? [] : [{ value, label: text('page.start', words) }]
  })
}

/** The initial text of a new page: from a template, or from another page as written. @throws Refusal 404 */
export async function textToBegin(
  { template, page }: { readonly template?: string | null; readonly page?: string | null },
  ctx: CallContext,
  { config, pages }: Services,
): Promise<string> {
  if (template) {
    const found = (await readJsonFolder(config.schemasDir, 'page-templates')).get(template)
    return found?.text ?? refuse(404, 'NOT_FOUND', text('page.unknown'))
  }
  if (!page) return refuseUnknown()
  return String(ownValue(await pageSource(pages.pathOf(page), undefined, ctx, pages), 'text') ?? '')
}
