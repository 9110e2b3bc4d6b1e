import type { Failure, Problem } from './errors.ts'
import type { Json, JsonObject } from './json.ts'

/**
 * The outside world, as the core sees it. Nothing here has an implementation: the client shell, the server and the tests supply their own. Times are
 * milliseconds.
 */
export interface Ports {
  readonly http: Http
  readonly clock: Clock
  readonly random: Random
  readonly storage: Storage
  readonly navigator: Navigator
  readonly feedback: Feedback
  readonly session: Session
  readonly device: Device
  readonly script: Script
  readonly text: Text
  /** Loads the messages for the author of a page on trial. Absent: only errors that prevent it from opening, in English. */
  readonly author?: () => Promise<Author>
  /** Absent: ids of a storage are not displayed. */
  readonly files?: StoredFiles
  /** Absent: a write that does not reach the server stays in its form. */
  readonly outbox?: Outbox
}

/** The strict check of a page, and its texts in the author's language. */
export interface Author {
  readonly words: (english: string) => string
  readonly check: (document: Json) => readonly Problem[]
}

export interface AbortLike {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS'

export interface HttpRequest {
  readonly url: string
  readonly method: HttpMethod
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON unless `headers` says otherwise; ignored for GET. */
  readonly body?: Json
  /** Default 10000 for product calls, 60000 for others. */
  readonly timeoutMs?: number
  readonly signal?: AbortLike
  /** `error`: a redirect fails the call, so that its credentials never reach another origin. Default with `Authorization`. */
  readonly redirect?: 'follow' | 'error'
  /** A read for display: its answer may be stored on the device and returned while offline. */
  readonly keep?: boolean
  /** The caller tells the user about a lost network, with a way to continue. */
  readonly tellsLoss?: boolean
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly data: Json
  /** Set on an answer that was stored on the device: when it was received, in milliseconds since the epoch. */
  readonly keptAt?: number
}

/** A failure is a value, never an exception. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Failure }

export interface Http {
  /** Always resolves. A status other than 2xx, network faults, timeouts and aborts are `ok: false`. */
  send(request: HttpRequest): Promise<Outcome<HttpResponse>>
  upload(request: UploadRequest): Promise<Outcome<HttpResponse>>
}

/** A file the user picked; `handle` is opaque to the core (a browser File behind it). */
export interface FileHandle {
  readonly name: string
  readonly size: number
  readonly type: string
  readonly handle: unknown
}

export interface UploadRequest {
  readonly url: string
  readonly file: FileHandle
  /** Multipart field name; default `file`. */
  readonly fieldName?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly data?: Readonly<Record<string, string>>
  /** Cookies are also sent to another origin; default false. */
  readonly withCredentials?: boolean
  /** Called with 0–100. */
  readonly onProgress?: (percent: number) => void
  /** Default 60000. */
  readonly timeoutMs?: number
  readonly signal?: AbortLike
}

/**
 * Files that a record names by the id of a storage (`cloud://…`) instead of an address. The id is stored, because addresses expire within minutes.
 */
export interface StoredFiles {
  /** The known address; undefined if there is none. */
  known(id: string): string | undefined
  /** Requests it from the storage; null if there is none. */
  find(id: string): Promise<string | null>
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs `task` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, task: () => void): () => void
}

export interface Random {
  /** An RFC 9562 identifier, unique over the world. */
  uuid(): string
}

/** Stores the user's unfinished work; it survives a change of the page's file and a closed tab. */
export interface Draft {
  readonly values: JsonObject
  readonly rows: Readonly<Record<string, readonly JsonObject[]>>
  /** The edited record as it was read: compared with what somebody else saved meanwhile. */
  readonly base?: JsonObject
  /** Fields that were already saved: they are shown again but do not count as unsaved. */
  readonly saved?: readonly string[]
}

/** A write that waits for the network. */
export interface WaitingWrite {
  /** The request with its `clientToken`: the server executes it once, however often it arrives. */
  readonly request: Pick<HttpRequest, 'url' | 'method' | 'headers' | 'body'>
  /** What the user sees of it while it waits. */
  readonly title: string
  readonly text: string
  /** What was typed, so that it can be edited. */
  readonly draft: Draft
}

/** Writes of one form that wait for the network. */
export interface Outbox {
  /** Stores a write until it is sent. False: the device cannot store it. */
  put(write: WaitingWrite): Promise<boolean>
  /** The form has reached the server; the waiting write from which it was opened is obsolete. */
  sent(): Promise<void>
}

/** Small persistent values of one user on one device; drafts live here too. */
export interface Storage {
  get(key: string): Promise<Json | undefined>
  set(key: string, value: Json): Promise<void>
  remove(key: string): Promise<void>
}

/** In-app navigation; `url` is a route with an optional query, never another origin. */
export interface Navigator {
  open(url: string): void
  redirect(url: string): void
  relaunch(url: string): void
  switchTab(url: string): void
  back(delta?: number): void
  /**
   * Opens a form above this page; resolves with what is created there (the server's answer), or null if it is left without. Absent: nothing can be
   * created from here.
   */
  ask?(url: string): Promise<Json>
  /** Passes the new record to the page that requested it, and goes back there. False: no page is waiting. */
  answer?(made: Json): boolean
}

export interface ModalOptions {
  readonly title?: string
  readonly content: string
  readonly showCancel?: boolean
  readonly confirmText?: string
  readonly cancelText?: string
}

export interface ToastOptions {
  readonly text: string
  /** Default `none`. */
  readonly icon?: 'success' | 'error' | 'loading' | 'none'
  /** Default 1500. */
  readonly durationMs?: number
  /** A button in it, which ends it; the toast counts as finished when its action resolves. */
  readonly act?: { readonly label: string; readonly run: () => unknown }
}

export interface Feedback {
  toast(options: ToastOptions): void
  /** Shows a blocking indicator until the returned function is called. */
  loading(text?: string): () => void
  /** Both outcomes are answers, never failures. */
  modal(options: ModalOptions): Promise<{ readonly confirm: boolean }>
  /** Resolves with the index chosen, or -1 when dismissed. */
  actionSheet(items: readonly string[], title?: string, cancelText?: string): Promise<number>
}

/** The login of the product; pages reach it by the `signIn`, `signOut` and `refreshUser` actions. */
export interface Session {
  /** Stores a new token; resolves when the user's detail has been loaded again. */
  signIn(answer: JsonObject): Promise<void>
  signOut(): Promise<void>
  /** Reloads the user's detail and menus, after a change by the user. */
  refresh(): Promise<void>
}

/** Functions of the device. */
export interface Device {
  dial(phone: string): void
  copy(text: string): Promise<boolean>
  share(options: { readonly title: string; readonly url: string }): Promise<void>
  /** The complete address of one of our pages, for another phone. */
  addressOf(url: string): string
  /** The actual address of a path of ours that begins with `/`: the app may be served below a path. Default: unchanged. */
  served?(url: string): string
  openDocument(url: string): Promise<boolean>
  /**
   * Asks the user for their position; `refused` if they or their device deny it, `unavailable` if none was found. With `from`, a place, also the
   * distance to it.
   */
  locate(from?: Json): Promise<Place | 'refused' | 'unavailable'>
}

/** A place in degrees of WGS-84. */
export interface Place {
  readonly lng: number
  readonly lat: number
  /** Accuracy in metres. */
  readonly accuracy: number
  /** Metres to the given place. */
  readonly distance?: number
}

/** Looks up a user-visible text by its code, in the current language; `params` replace `{name}` placeholders. */
export type Text = (code: string, params?: Readonly<Record<string, string | number>>) => string

/* ------------------------------------------------------------------ scripts */

/** One write into a page's state: a cell and its new value. See `state/cells.ts` for the cell names. */
export interface Write {
  readonly cell: string
  readonly value: Json
}

/** One call of a hook or handler. `key` is the node (empty for the form). */
export interface HookCall {
  readonly hook: string
  readonly key: string
  readonly args: readonly Json[]
}

/** A request of a script besides writing state (a toast, a navigation, focus …). */
export interface Effect {
  readonly name: string
  readonly args: readonly Json[]
}

/** The results of a run. `base` is the last turn that the replica had applied when the writes were made. */
export interface Batch {
  readonly base: number
  readonly writes: readonly Write[]
  readonly effects: readonly Effect[]
}

/**
 * Why a hook did not finish, or a rule (`hook` is its option) has no result. `stopped`: after three failures it will not run again until the page is
 * reloaded.
 */
export interface ScriptReport {
  readonly hook: string
  readonly key: string
  readonly code:
    | 'SCRIPT_ERROR'
    | 'SCRIPT_BUDGET'
    | 'SCRIPT_MEMORY'
    | 'SCRIPT_CASCADE'
    | 'SCRIPT_CALLS'
    | 'SCRIPT_RESULT'
    | 'SCRIPT_STOPPED'
    | 'SCRIPT_UNAVAILABLE'
    | 'RULE_BUDGET'
  readonly message: string
  /** Line in the hook's own code, from 1, when known. */
  readonly line?: number
  readonly stopped: boolean
}

/** Budget of one run (HOOKS 1.1). A page may lower each. */
export interface ScriptLimits {
  /** Default 100. The worker is terminated if a run has not ended 60 ms later. */
  readonly timeMs: number
  /** Default 16 MiB. */
  readonly memoryBytes: number
  /** Default 256 KiB; more lets recursion escape as a host error. */
  readonly stackBytes: number
  /** Default 64 KiB. */
  readonly resultBytes: number
  /** Default 1000. */
  readonly hostCalls: number
  /** Default 16. */
  readonly cascadeDepth: number
}

/** What rules and scripts of a page read besides its cells. */
export interface ScriptContext {
  readonly params?: JsonObject
  readonly user?: JsonObject
  readonly dict?: JsonObject
  /** Host variables (`globalDsv`). */
  readonly variables?: JsonObject
}

/** What the page gives a script session. */
/** A read of a run: the call, and its result. */
export interface ScriptRead {
  readonly name: string
  readonly args: readonly Json[]
  /** Truncated if it is long. */
  readonly value: Json
}

export interface ScriptPage {
  /** The page document as loaded (plain JSON); the replica parses it with the same parser. */
  readonly document: JsonObject
  readonly limits: ScriptLimits
  /** All current cells of the page; used at the start and after a worker was replaced. */
  snapshot(): { readonly turn: number; readonly writes: readonly Write[]; readonly context?: ScriptContext }
  /** A run's writes and effects. */
  onBatch(batch: Batch): void
  onReport(report: ScriptReport): void
  /** Present if runs are observed: the reads of a run, reported before its first batch. Without it they are not recorded. */
  onReads?(reads: readonly ScriptRead[]): void
  /** A promise the script awaits: `executeDataSource`, `confirm`. Rejections reach the script as errors. */
  onRequest(name: string, args: readonly Json[]): Promise<Json>
}

export interface ScriptSession {
  /** Applies the page's writes to the replica in order, then fires the hooks. `turn` grows by one with each post. */
  post(turn: number, writes: readonly Write[], fire: readonly HookCall[]): void
  /**
   * Runs one hook for its result (onValidate, dataHandlerCode …). A failed run returns `ok: false`, and so does code that can no longer
   * produce a result because nothing is pending.
   *
   * @param onLeftOpen  called if the code has finished and its result is still pending
   */
  ask(call: HookCall, onLeftOpen?: () => void): Promise<Outcome<Json>>
  /** Inputs of rules and scripts other than cells have changed; omitted parts stay. Ordered with the posts. */
  setContext(context: ScriptContext): void
  /** Resolves when every post so far has been processed (tests, validation). */
  settled(): Promise<void>
  dispose(): void
}

export interface Script {
  open(page: ScriptPage): ScriptSession
}
