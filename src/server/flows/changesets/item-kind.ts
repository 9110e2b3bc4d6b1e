import { type Json, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import type { Permission } from '../../kernel/auth/permissions.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { text } from '../../kernel/text/text.ts'

/** What the other changes of a set bring: a change may name it, whichever of them comes first. */
export interface Coming {
  /** Descriptions by the name of their module. */
  readonly modules: ReadonlyMap<string, JsonObject>
  readonly pages: ReadonlySet<string>
}

/** The context in which a change set is applied: the transaction, the server's name, and the reason. */
export interface ChangeContext {
  readonly ctx: CallContext
  readonly services: Services
  readonly host: string
  readonly note: string
  readonly coming?: Coming
}

/** One change as stored in a set. */
export interface Change {
  readonly name: string
  readonly content: JsonObject
  /** The state it is based on. */
  readonly base: Json
}

/** The result of a change. */
export interface ChangeResult {
  /** The name of its target. */
  readonly title: string
  /** The differences, one sentence each. */
  readonly words: readonly string[]
  /** The data needed to revert it; of a change that changes nothing, see {@link unchanged}. */
  readonly undo: JsonObject
  /** The resulting state, to detect later changes by others. */
  readonly became: Json
  /** The change as it is to be stored: with the names that were generated when it was tried. */
  readonly changeToStore?: Change
  /** People whose rights have changed. */
  readonly people?: readonly string[]
}

/** The result of a change that leaves its target as it is: nothing was written, and nothing is reverted. @param undo  what its kind notes of the target */
export const unchanged = (title: string, undo: JsonObject = {}): ChangeResult => ({
  title,
  words: [text('changeset.same')],
  undo: { ...undo, same: true },
  became: null,
})

/** True for a published change that changed nothing. */
export const isUnchanged = (undo: Json): boolean => ownValue(undo, 'same') === true

/** A kind of change in a set: how it is applied and reverted. It requires the same permissions as the change outside a set. */
export interface ItemKind {
  readonly permission: Permission
  /**
   * Reads a posted change, with the state it is based on.
   *
   * @param existing  what the set already contains for the same target
   * @throws Refusal 400
   */
  read(
    given: JsonObject,
    doing: ChangeContext,
    existing: (name: string) => Change | undefined,
  ): Promise<Change>
  /** @throws Refusal like the call that makes the change directly: 409 if somebody else has changed it, 400 with its problems */
  apply(change: Change, doing: ChangeContext): Promise<ChangeResult>
  /** The current state, in the same form as {@link ChangeResult.became}. */
  now(name: string, became: Json, doing: ChangeContext): Promise<Json>
  revert(name: string, undo: JsonObject, doing: ChangeContext): Promise<void>
  /** Called when all changes of a set are reverted. @throws Refusal 422 if what remains names what is gone */
  reverted?(name: string, doing: ChangeContext): Promise<void>
}
