import type { Json, JsonObject } from '../../runtime/core/json.ts'
import type { PageProblem } from '../contract/pages.ts'
import type { RecordChoice } from './canvas/records.ts'

/** A page as it is stored. */
export interface Source {
  readonly text: string
  /** 0: the vendor's page. */
  readonly revision: number
}

/** What the server's check of a page found. */
export interface Checked {
  readonly problems: readonly PageProblem[]
  readonly advice: readonly PageProblem[]
}

/** One published version. */
export interface Version {
  readonly revision: number
  readonly author: string
  readonly at: string
  readonly note: string
  readonly current: boolean
  readonly changes: readonly string[]
  /** Its statistics; '' while nobody has opened it. */
  readonly health: string
}

/** Other changes published with a version, in one change set. */
export interface VersionSet {
  readonly title: string
  readonly revision: number
  /** As text. */
  readonly others: string
  /** It was reverted since. */
  readonly isBack: boolean
}

/** The current version at a path. */
export interface PageFacts {
  /** 0: the product's. */
  readonly revision: number
  /** Its origin, as text. */
  readonly source: string
  readonly author: string
  readonly at: string
}

/** Somebody published meanwhile. */
export interface Other {
  readonly revision: number
  readonly document: Json
  readonly baseDocument: Json
  /** Published by the same person, in another window. */
  readonly isOwn: boolean
}

/** A draft as stored on the server. */
export interface ServerDraft {
  readonly text: string
  readonly base: number
  /** Identifies this state of it. */
  readonly stamp: string
}

/** A colleague with a draft of the same page. */
export interface Colleague {
  readonly user: string
  readonly author: string
  readonly at: string
  readonly base: number
}

/** A field of a module, as pages refer to it. */
export interface ModuleField {
  /** Its name in pages. */
  readonly name: string
  readonly label: string
  /** False for a field that nobody fills in: no form contains it. */
  readonly isWritten: boolean
}

/** A shared part that a page can refer to. */
export interface FragmentFacts {
  readonly name: string
  readonly label: string
  /** Required parameters. */
  readonly asks: readonly string[]
}

/** A page opened for editing: the draft of an earlier visit, otherwise the current version. */
export interface Opened {
  readonly draft: ServerDraft | null
  readonly others: readonly Colleague[]
  readonly text: string
  readonly base: number
}

/** A saved draft, with the result of the check. */
export interface Saved extends Checked {
  readonly stamp: string
  readonly others: readonly Colleague[]
}

/** A role of the tenant, for viewing a page as its people do. */
export interface Role {
  readonly id: string
  readonly name: string
  readonly permissions: readonly string[]
  readonly fieldRights: JsonObject
}

/** The result of a call: the requested data, or a message for the user. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly message: string
      readonly problems: readonly PageProblem[]
      readonly other: Other | null
      /** Another window of the same person saved first. */
      readonly serverDraft: ServerDraft | null
      /** The versions to revert have changed since: the user must confirm. */
      readonly isChangedSince: boolean
    }

/** How a page is reverted: alone, together with everything that was published with the versions since, or that even if it has changed. */
export type RevertMode = 'alone' | 'together' | 'anyway'

/** The replacement for a reference on a page. */
export interface Expansion {
  readonly items: readonly Json[]
  readonly sources: readonly Json[]
}

/** A newer release's changes to a page that the tenant has changed. */
export interface Upgrade {
  /** The product's page when the tenant's was made, and now. */
  readonly baseDocument: Json
  readonly document: Json
  readonly etag: string
}

/** A page of a change set: before and after. */
export interface Sides {
  readonly title: string
  readonly changes: readonly string[]
  /** It is published: `before` is the replaced version. */
  readonly isDone: boolean
  /** As served, without references; null if there is no page. */
  readonly before: Json
  readonly after: Json
}

/** The server calls of the workbench. */
export interface Calls {
  source(path: string, revision?: number): Promise<Answer<Source>>
  facts(path: string): Promise<Answer<PageFacts>>
  check(path: string, text: string): Promise<Answer<Checked>>
  draft(path: string): Promise<Answer<Opened>>
  /** @param after  the state on which it is based; '' if there was none */
  saveDraft(path: string, text: string, base: number, after: string): Promise<Answer<Saved>>
  dropDraft(path: string): Promise<Answer<null>>
  /** Reports that the page is open here. @returns who else has it open */
  visit(path: string): Promise<Answer<readonly string[]>>
  leave(path: string): Promise<Answer<null>>
  draftOf(path: string, user: string): Promise<Answer<Pick<ServerDraft, 'text' | 'base'>>>
  publish(
    path: string,
    text: string,
    base: number,
    note: string,
    /** The product's page that was decided on; '' for none. */
    vendorEtag: string,
  ): Promise<Answer<{ readonly revision: number }>>
  /** Null if there are no changes by the product. */
  upgrade(path: string): Promise<Answer<Upgrade | null>>
  /** Adds the page to the change set that the person is working on, or to a new one. */
  putInSet(path: string, text: string, base: number): Promise<Answer<{ readonly title: string }>>
  sides(set: string, path: string): Promise<Answer<Sides>>
  versions(path: string): Promise<Answer<readonly Version[]>>
  /** Of the versions that were published with other changes, newest first. */
  setsOf(path: string): Promise<Answer<readonly VersionSet[]>>
  rollBack(path: string, revision: number, way: RevertMode): Promise<Answer<{ readonly revision: number }>>
  expand(items: readonly JsonObject[]): Promise<Answer<readonly Expansion[]>>
  /** Modules whose fields pages can refer to. */
  modules(): Promise<Answer<readonly { readonly name: string; readonly label: string }[]>>
  roles(): Promise<Answer<readonly Role[]>>
  /** The first records of a list. */
  records(url: string): Promise<Answer<readonly RecordChoice[]>>
  fields(module: string): Promise<Answer<readonly ModuleField[]>>
  fragments(): Promise<Answer<readonly FragmentFacts[]>>
  /** The pinyin of words, each as its syllables and their first letters. */
  readings(words: readonly string[]): Promise<Answer<readonly string[]>>
}
