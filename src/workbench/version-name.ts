import { t } from './context.ts'

/** Where a tenant's own pages lie: before their first version there is none. */
const OWN = '/pages/x/'
export const isOwnPage = (path: string): boolean => path.startsWith(OWN)

/** What a version is called; 0: the product's page, or none. */
export function versionName(revision: number, path: string): string {
  if (revision > 0) return t('workbench.versions.number', { n: revision })
  return t(isOwnPage(path) ? 'workbench.versions.none' : 'workbench.versions.vendor')
}
