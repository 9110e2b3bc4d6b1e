import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../auth/caller.ts'
import { isLive, isVisible, isVisibleOwned, type OwnedEntity } from './predicate.ts'

const OWNED: readonly string[] = [
  'customer',
  'lead',
  'bussiness',
  'contract',
] satisfies readonly OwnedEntity[]

const isOwnedEntity = (module: string): module is OwnedEntity => OWNED.includes(module)

/** Visibility of a record of a product module that other records can refer to. */
export function isShippedVisible(caller: Caller, module: string, row: string): RawBuilder<boolean> {
  if (isOwnedEntity(module)) return isVisible(caller, module, row)
  return module === 'contact'
    ? isVisibleOwned(caller, 'customer', row, 'customer_id')
    : sql<boolean>`(${isLive(caller, row)})`
}

/** Visibility in the lists of its module, which do not contain records in pools. */
export function isShippedListed(caller: Caller, module: string, row: string): RawBuilder<boolean> {
  if (isOwnedEntity(module)) return isVisibleOwned(caller, module, row)
  if (module !== 'payment') return isShippedVisible(caller, module, row)
  const at = (name: string) => sql.ref(`${row}.${name}`)
  return sql<boolean>`(${isLive(caller, row)} and (${at('approver_id')} = ${caller.userId} or ${caller.userId} = any(${at('approver_ids')})
    or exists (select 1 from contract k where k.tenant_id = ${at('tenant_id')} and k.id = ${at('contract_id')}
      and ${isVisible(caller, 'contract', 'k')})))`
}
