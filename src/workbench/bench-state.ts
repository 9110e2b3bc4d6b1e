import type { Edit } from '../../runtime/core/edit/edit.ts'
import type { ItemKey } from '../../runtime/core/edit/entries.ts'
import type { Editing } from '../../runtime/core/edit/history.ts'
import type { Choices } from '../../runtime/core/edit/merge-pages.ts'
import type { Json } from '../../runtime/core/json.ts'
import type { PageProblem } from '../contract/pages.ts'
import type { Block } from './blocks.ts'
import type { Answer, Calls, Colleague, DraftThere, Upgrade, WayBack } from './calls.ts'
import type { Expansions } from './canvas/resolve-page.ts'
import type { Keeping } from './kept-draft.ts'

/** Two versions of the page that are to become one. */
export interface Conflict {
  /** Somebody published, wrote it in another window of theirs; a colleague's draft or the product's new release is taken in. */
  readonly kind: 'published' | 'window' | 'colleague' | 'vendor'
  /** Whose it is, where it is a colleague's. */
  readonly author: string
  /** What both began with. */
  readonly baseDocument: Json
  readonly document: Json
  /** The version that the merged draft is made from. */
  readonly base: number
  readonly baseText: string
  /** The draft that was there first. */
  readonly there: DraftThere | null
}

/** Everything the workbench draws. */
export interface BenchState {
  readonly path: string
  /** Null while it is being fetched, or could not be. */
  readonly editing: Editing | null
  readonly failure: string
  /** Number of the version that the draft was made from. */
  readonly base: number
  /** Text of that version. */
  readonly baseText: string
  /** Selected besides the one that `editing` names. */
  readonly also: readonly ItemKey[]
  /** What was copied last, on whichever page; '' for nothing. */
  readonly clip: string
  /** Kept for other pages, the newest first. */
  readonly blocks: readonly Block[]
  readonly expansions: Expansions
  readonly problems: readonly PageProblem[]
  readonly advice: readonly PageProblem[]
  readonly isChecking: boolean
  readonly isBusy: boolean
  /** A draft of an earlier visit is in sight. */
  readonly isRestored: boolean
  readonly keeping: Keeping
  /** Who else is writing this page. */
  readonly others: readonly Colleague[]
  /** Who else has it open. */
  readonly here: readonly string[]
  readonly conflict: Conflict | null
  /** What a newer release has made of the page and nobody has decided on; null for nothing. */
  readonly upgrade: Upgrade | null
}

/** The work on one page. */
export interface Bench {
  readonly get: () => BenchState
  readonly subscribe: (listener: () => void) => () => void
  /** Does an act; acts of one `group` that follow each other are one. */
  perform(edit: Edit, group?: string): void
  undo(): void
  redo(): void
  select(key: ItemKey | null): void
  /** Takes one more into the selection, or out of it. */
  pick(key: ItemKey): void
  /** Everything that is selected. */
  selection(): readonly ItemKey[]
  /** Keeps a copy for other pages. */
  clip(text: string): void
  /** Keeps widgets among the blocks, under their title or one like it, which is answered. */
  keepBlock(block: Block): Promise<string>
  dropBlock(title: string): Promise<void>
  /** The text as somebody types it. False while it is no JSON. */
  retype(text: string): boolean
  publish(note: string): Promise<Answer<{ readonly revision: number }>>
  /** Takes what both made; where they contradict each other as it was chosen. */
  settle(choices: Choices): void
  dismissConflict(): void
  /** Brings a colleague's draft into this one; what contradicts it is chosen first. */
  takeIn(colleague: Colleague): Promise<Answer<null>>
  /** Goes on from a colleague's draft in place of this one. */
  takeOver(colleague: Colleague): Promise<Answer<null>>
  /** Brings what a newer release changed into the draft; what contradicts it is chosen first. */
  takeUpgrade(): void
  /** Asks what became of the draft elsewhere: in another window, with colleagues. */
  look(): Promise<void>
  rollBack(revision: number, way?: WayBack): Promise<Answer<{ readonly revision: number }>>
  /** The text of a version, put in the place of the draft. */
  take(revision: number): Promise<void>
  /** Gives the draft up. */
  discard(): Promise<void>
  readonly calls: Calls
  close(): void
}
