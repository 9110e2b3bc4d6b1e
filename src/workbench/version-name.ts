import { t } from './context.ts'

/** The paths of a tenant's own pages: before their first version there is no page. */
const OWN = '/pages/x/'
export const isOwnPage = (path: string): boolean => path.startsWith(OWN)
/** A page that is made from a module of the tenant. */
export const isMadePage = (path: string): boolean => path.startsWith('/pages/m/')

/** What there is before the first version: the product's page, the one made from a module, or none. */
const beginningOf = (path: string): 'none' | 'made' | 'vendor' => {
  if (isOwnPage(path)) return 'none'
  return isMadePage(path) ? 'made' : 'vendor'
}

/** The name of a version; 0: what there is before the first one. */
export function versionName(revision: number, path: string): string {
  if (revision > 0) return t('workbench.versions.number', { n: revision })
  return t(`workbench.versions.${beginningOf(path)}`)
}

/** What is said beside the version 0. */
export const beginningHint = (path: string): string => t(`workbench.versions.${beginningOf(path)}Hint`)
