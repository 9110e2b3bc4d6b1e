import { itemsOf } from '../../runtime/core/edit/entries.ts'
import type { Engine } from '../../runtime/core/engine.ts'
import type { Json } from '../../runtime/core/json.ts'
import { OWN_FIELD } from '../contract/pages.ts'
import type { ModuleField } from './calls.ts'
import { isMadePage } from './version-name.ts'

/** The fields on the page, including its shared parts; a tenant's own field in a place for all of them can still be added separately. */
export function namesOn(engine: Engine | null, document: Json): ReadonlySet<string> {
  const drawn = [...(engine?.page.nodes.values() ?? [])].map(({ name }) => name)
  const written = [...itemsOf(document).values()].map(({ name }) => name)
  return new Set([...drawn.filter((name) => !name.startsWith(OWN_FIELD)), ...written])
}

/** False on pages of the tenant's own modules: what is put there of another module is saved nowhere. */
export const offersModules = (path: string): boolean => !isMadePage(path)

/**
 * True for a field that can still be added to a form or a card. A tenant's own field can be on a card only if its definition says so, because
 * otherwise the list's answer does not contain it.
 */
export const isOffered = (
  { name, isWritten }: Pick<ModuleField, 'name' | 'isWritten'>,
  existing: ReadonlySet<string>,
  isCard: boolean,
): boolean =>
  isCard ? !name.startsWith(OWN_FIELD) && !existing.has(`card_${name}`) : isWritten && !existing.has(name)
