import { itemsOf } from '../../runtime/core/edit/entries.ts'
import type { Engine } from '../../runtime/core/engine.ts'
import type { Json } from '../../runtime/core/json.ts'
import { OWN_FIELD } from '../contract/pages.ts'
import type { ModuleField } from './calls.ts'

/** What is on the page, its shared parts included; a field of the tenant's own in a place for all of them can still have one of its own. */
export function namesOn(engine: Engine | null, document: Json): ReadonlySet<string> {
  const drawn = [...(engine?.page.nodes.values() ?? [])].map(({ name }) => name)
  const written = [...itemsOf(document).values()].map(({ name }) => name)
  return new Set([...drawn.filter((name) => !name.startsWith(OWN_FIELD)), ...written])
}

/**
 * True for a field of a module that a form can still ask for, or a card still say. Fields of the tenant's own are on a card where they say so
 * themselves, and not in the list's answer otherwise.
 */
export const isOffered = (
  { name, isWritten }: Pick<ModuleField, 'name' | 'isWritten'>,
  there: ReadonlySet<string>,
  isCard: boolean,
): boolean =>
  isCard ? !name.startsWith(OWN_FIELD) && !there.has(`card_${name}`) : isWritten && !there.has(name)
