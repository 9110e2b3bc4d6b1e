/** Where a tenant's own pages live, so that no later page of the product meets them; as deep as the table of routes has them. */
const OWN = /^\/pages\/x(?:\/[A-Za-z0-9][\w-]*){1,3}$/

/** True for an address at which a tenant may make a page of its own. */
export const isOwnPath = (path: string): boolean => OWN.test(path)
