import { ownValue } from '../../../../runtime/core/json.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { pageTitle } from '../../kernel/pages/page-title.ts'
import { readJsonFolder } from '../../kernel/pages/read-files.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { pageSource, refuseUnknown } from '../pages/versions.ts'

/** A page to begin with. */
interface Start {
  readonly value: string
  readonly label: string
}

/** Templates (`schemas/page-templates`), in the order of their files, and every page there is: those of modules among them. */
export async function pageStarts(
  { trx, caller }: Asking,
  { config, pages }: Services,
): Promise<{ readonly templates: readonly Start[]; readonly pages: readonly Start[] }> {
  const templates = [...(await readJsonFolder(config.schemasDir, 'page-templates'))].sort()
  const all = await pages.all(trx, caller.tenantId)
  return {
    templates: templates.map(([name, { content }]) => ({
      value: name,
      label: pageTitle(content ?? null) || name,
    })),
    pages: all
      .map(({ path, document }) => ({
        value: path,
        label: `${pageTitle(document) || pages.routeOf(path).title} ${path}`.trim(),
      }))
      .sort((one, other) => (one.value < other.value ? -1 : 1)),
  }
}

/** The text that a new page begins with: a template's, or that of another page as it is written. @throws Refusal 404 */
export async function textToBegin(
  { template, page }: { readonly template?: string | null; readonly page?: string | null },
  asking: Asking,
  { config, pages }: Services,
): Promise<string> {
  if (template) {
    const found = (await readJsonFolder(config.schemasDir, 'page-templates')).get(template)
    return found?.text ?? refuse(404, 'NOT_FOUND', text('page.unknown'))
  }
  if (!page) return refuseUnknown()
  return String(ownValue(await pageSource(pages.pathOf(page), undefined, asking, pages), 'text') ?? '')
}
