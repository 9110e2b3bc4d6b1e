import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import type { Permission } from '../../kernel/auth/permissions.ts'
import type { Services } from '../../kernel/calls/resource.ts'

/** Where a change set is done: in whose transaction, by which name of the server, and why. */
export interface Doing {
  readonly asking: Asking
  readonly services: Services
  readonly host: string
  readonly note: string
}

/** One change as it is kept in a set. */
export interface Change {
  readonly name: string
  readonly content: JsonObject
  /** What it was made from. */
  readonly base: Json
}

/** What a change came to. */
export interface Done {
  /** What it is called. */
  readonly title: string
  /** What is different now, a sentence each. */
  readonly words: readonly string[]
  /** What takes it back. */
  readonly undo: Json
  /** What stands there now, to be told from what others do later. */
  readonly became: Json
  /** The change as it is to be kept: with the names that it was given while it was tried. */
  readonly kept?: Change
  /** Whose rights are others now. */
  readonly people?: readonly string[]
}

/** What can be in a set: how it is done and taken back. Nobody who may not do it alone does it in a set. */
export interface ItemKind {
  readonly permission: Permission
  /**
   * A change as it was posted, with what it is made from.
   * @param there  what the set says of the same thing already
   * @throws Refusal 400
   */
  read(given: JsonObject, doing: Doing, there: (name: string) => Change | undefined): Promise<Change>
  /** @throws Refusal as the call that does it alone: 409 where somebody else has changed it, 400 with its problems */
  apply(change: Change, doing: Doing): Promise<Done>
  /** What stands there now, as {@link Done.became} says it. */
  now(name: string, became: Json, doing: Doing): Promise<Json>
  revert(name: string, undo: JsonObject, doing: Doing): Promise<void>
}
