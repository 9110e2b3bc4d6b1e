/** Where a tenant's own pages live, so that no later page of the product meets them. */
const OWN = /^\/pages\/x(?:\/[A-Za-z0-9][\w-]*)+$/

/** True for an address at which a tenant may make a page of its own. */
export const isOwnPath = (path: string): boolean => OWN.test(path)
