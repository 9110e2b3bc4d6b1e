import type { Json } from '../../../../runtime/core/json.ts'
import { labelText } from '../../../model/labels.ts'
import type { Services } from '../calls/resource.ts'
import type { TenantModel } from '../model/library.ts'
import { text } from '../text/text.ts'
import { pageTitle } from './page-title.ts'

/** Pages that are made from a module. */
const MADE = /^\/pages\/m\/([^/]+)\/([^/]+)$/

export const isMadePath = (path: string): boolean => MADE.test(path)

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
  const [, name = '', kind] = MADE.exec(path) ?? []
  const label = labelText(modules.get(name)?.label ?? '')
  if (label !== '' && title === label && (kind === 'index' || kind === 'detail'))
    return text(`page.made.${kind}`, { label })
  return title || pages.routeOf(path).title || path
}
