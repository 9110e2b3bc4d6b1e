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

/** What every card of a pool shows besides its entity's own fields (DOMAIN 1.2.5). */
export interface PoolCard {
  readonly id: string
  readonly name: string
  readonly pool_id: string
  readonly pool_entered_at: string | null
  readonly pool_reason: string | null
  readonly pool_times: number
  readonly prev_owner_name: string | null
  readonly last_follow_at: string | null
  readonly last_follow_content: string | null
  /** From when the caller may claim it; null: now. */
  readonly claimable_at: string | null
  readonly actions: readonly ('claim' | 'assign' | 'move' | 'delete')[]
}

/** Answer of a claim: what the caller took, what not, and what he may still take today. */
export interface ClaimAnswer {
  readonly ok: readonly string[]
  readonly failed: readonly {
    readonly id: string
    readonly name: string
    readonly code: number
    readonly type: string
    readonly message: string
  }[]
  readonly quota: { readonly claimed: number; readonly limit: number }
  readonly holding: { readonly n: number; readonly cap: number }
}
