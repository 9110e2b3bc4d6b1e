/** The paths of a tenant's own pages, which no later page of the product uses; as deep as the table of routes allows. */
const OWN = /^\/pages\/x(?:\/[A-Za-z0-9][\w-]*){1,3}$/

/** True for an address at which a tenant may create its own page. */
export const isOwnPath = (path: string): boolean => OWN.test(path)
