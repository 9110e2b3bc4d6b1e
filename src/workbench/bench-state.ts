import type { Edit } from '../../runtime/core/edit/edit.ts'
import type { ItemKey } from '../../runtime/core/edit/entries.ts'
import type { Editing } from '../../runtime/core/edit/history.ts'
import type { Choices } from '../../runtime/core/edit/merge-pages.ts'
import type { Json } from '../../runtime/core/json.ts'
import type { PageProblem } from '../contract/pages.ts'
import type { Block } from './blocks.ts'
import type { Answer, Calls, Colleague, RevertMode, ServerDraft, Upgrade } from './calls.ts'
import type { Expansions } from './canvas/resolve-page.ts'
import type { TypedTexts } from './code/typed-texts.ts'
import type { DraftStatus } from './draft-saver.ts'

/** Two versions of the page to be merged. */
export interface Conflict {
  /** The reason: somebody published, or the same person in another window; that window's draft; a colleague's draft; the product's new release. */
  readonly kind: 'published' | 'own' | 'window' | 'colleague' | 'vendor'
  /** The colleague, if it is one's version. */
  readonly author: string
  /** Their common base. */
  readonly baseDocument: Json
  readonly document: Json
  /** The version on which the merged draft is based. */
  readonly base: number
  readonly baseText: string
  /** The draft that was saved first. */
  readonly serverDraft: ServerDraft | null
}

/** Everything the workbench draws. */
export interface BenchState {
  readonly path: string
  /** Null while loading, or if loading failed. */
  readonly editing: Editing | null
  readonly failure: string
  /** Number of the version on which the draft is based. */
  readonly base: number
  /** Text of that version. */
  readonly baseText: string
  /** Selected in addition to `editing`. */
  readonly also: readonly ItemKey[]
  /** The last copy, from any page; '' for nothing. */
  readonly clip: string
  /** Saved for other pages, newest first. */
  readonly blocks: readonly Block[]
  readonly expansions: Expansions
  readonly problems: readonly PageProblem[]
  readonly advice: readonly PageProblem[]
  readonly isChecking: boolean
  readonly isBusy: boolean
  /** A draft from an earlier visit is shown. */
  readonly isRestored: boolean
  readonly keeping: DraftStatus
  /** Other people with drafts of this page. */
  readonly others: readonly Colleague[]
  /** Other people who have it open. */
  readonly here: readonly string[]
  readonly conflict: Conflict | null
  /** Changes by a newer release that nobody has decided about; null for none. */
  readonly upgrade: Upgrade | null
  /** What was typed as code and is not JSON: see `typedAt` for what holds now. */
  readonly typed: TypedTexts
  /** The code of the page that was gone to last; another object each time. */
  readonly code: { readonly name: string } | null
}

/** The work on one page. */
export interface Bench {
  readonly get: () => BenchState
  readonly subscribe: (listener: () => void) => () => void
  /** Performs an edit; consecutive edits with the same `group` are undone together. */
  perform(edit: Edit, group?: string): void
  undo(): void
  redo(): void
  select(key: ItemKey | null): void
  /** Selects the item around a place of the document, or shows the code of the page that is there. */
  goTo(pointer: string): void
  /** Adds an item to the selection, or removes it. */
  pick(key: ItemKey): void
  /** All selected items. */
  selection(): readonly ItemKey[]
  /** Stores a copy for other pages. */
  clip(text: string): void
  /** Saves widgets as a block, under their title or a similar unused one, which is returned. */
  keepBlock(block: Block): Promise<string>
  dropBlock(title: string): Promise<void>
  /** The text as typed. False while it is not valid JSON. */
  retype(text: string): boolean
  /** The offered typed text is in the editor again. */
  bringBack(): void
  /** Discards the typed text in the editor, or else the offered one. */
  dropTyped(): void
  publish(note: string): Promise<Answer<{ readonly revision: number }>>
  /** Applies the merge; conflicts are resolved as chosen. */
  settle(choices: Choices): void
  dismissConflict(): void
  /** Merges a colleague's draft into this one, after resolving conflicts. */
  takeIn(colleague: Colleague): Promise<Answer<null>>
  /** Continues with a colleague's draft instead of this one. */
  takeOver(colleague: Colleague): Promise<Answer<null>>
  /** Merges the changes of a newer release into the draft, after resolving conflicts. */
  takeUpgrade(): void
  /** Checks whether the draft was changed elsewhere: in another window, or by colleagues. */
  look(): Promise<void>
  rollBack(revision: number, way?: RevertMode): Promise<Answer<{ readonly revision: number }>>
  /** Replaces the draft by the text of a version. */
  take(revision: number): Promise<void>
  /** Discards the draft. */
  discard(): Promise<void>
  readonly calls: Calls
  close(): void
}
