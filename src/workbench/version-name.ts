import { t } from './context.ts'

/** The paths of a tenant's own pages: before their first version there is no page. */
const OWN = '/pages/x/'
export const isOwnPage = (path: string): boolean => path.startsWith(OWN)

/** The name of a version; 0: the product's page, or none. */
export function versionName(revision: number, path: string): string {
  if (revision > 0) return t('workbench.versions.number', { n: revision })
  return t(isOwnPage(path) ? 'workbench.versions.none' : 'workbench.versions.vendor')
}
