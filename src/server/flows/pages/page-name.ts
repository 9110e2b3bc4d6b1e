import type { Json } from '../../../../runtime/core/json.ts'
import { derivedAt } from '../../../model/derived/parts.ts'
import { labelText } from '../../../model/labels.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { TenantModel } from '../../kernel/model/library.ts'
import { pageTitle } from '../../kernel/pages/page-title.ts'
import { text } from '../../kernel/text/text.ts'

/**
 * What a page is called where pages are listed: its title, else that of its route, else its path. List and detail of a module both have its label as
 * their title, and are told apart here.
 */
export function pageName(
  { path, document }: { readonly path: string; readonly document: Json },
  { modules }: Pick<TenantModel, 'modules'>,
  pages: Pick<Services['pages'], 'routeOf'>,
): string {
  const title = pageTitle(document)
  const made = derivedAt(path)
  const label = labelText(modules.get(made?.module ?? '')?.label ?? '')
  if (label !== '' && title === label && (made?.page === 'index' || made?.page === 'detail'))
    return text(`page.made.${made.page}`, { label })
  return title || pages.routeOf(path).title || path
}
