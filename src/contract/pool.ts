/** A pool the caller belongs to: an entry of GET /mini/pool/list. 0 as a limit or cap means none. */
export interface PoolEntry {
  readonly id: string
  readonly name: string
  readonly isDefault: boolean
  readonly isAdmin: boolean
  readonly count: number
  readonly quota: { readonly claimed: number; readonly limit: number }
  readonly holding: { readonly n: number; readonly cap: number }
}
