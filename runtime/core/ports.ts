import type { Failure, Problem } from './errors.ts'
import type { Json, JsonObject } from './json.ts'

/**
 * The outside world, as the core sees it. Nothing here has an implementation: the client shell, the server and the tests
 * hand in their own. Times are milliseconds.
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
  /** Fetches what the author of a page on trial is told. Missing: only what keeps it from opening, in English. */
  readonly author?: () => Promise<Author>
  /** Missing: ids of a storage are shown as nothing. */
  readonly files?: StoredFiles
  /** Missing: a write that does not reach the server stays in its form. */
  readonly outbox?: Outbox
}

/** The strict check of a page, and its words in the author's language. */
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
  /** `error`: a redirect fails the call, so that what it carries never reaches another origin. Default with `Authorization`. */
  readonly redirect?: 'follow' | 'error'
  /** A read of what stands on a screen: its answer may be kept on the device and given again while the network is away. */
  readonly keep?: boolean
  /** Whoever asks tells the user of a lost network, with a way on. */
  readonly tellsLoss?: boolean
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly data: Json
  /** Set on an answer that the device had kept: when it came, in milliseconds since the epoch. */
  readonly keptAt?: number
}

/** A failure of the world is a value, never an exception. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Failure }

export interface Http {
  /** Settles always. Status other than 2xx, network faults, time-outs and aborts are `ok: false`. */
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
  /** Cookies go along to another origin; default false. */
  readonly withCredentials?: boolean
  /** Called with 0–100. */
  readonly onProgress?: (percent: number) => void
  /** Default 60000. */
  readonly timeoutMs?: number
  readonly signal?: AbortLike
}

/**
 * Files that a record names by an id of a storage (`cloud://…`) instead of an address. The id is what is stored: the address it has
 * now ends within minutes.
 */
export interface StoredFiles {
  /** The address at hand; undefined while none is. */
  known(id: string): string | undefined
  /** Asks the storage for it; null when it has none to give. */
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

/** What an engine remembers of the user's work; survives a page change on disk and a killed tab. */
export interface Draft {
  readonly values: JsonObject
  readonly rows: Readonly<Record<string, readonly JsonObject[]>>
  /** The record that was edited, as it was read: what somebody else saved meanwhile is compared with it. */
  readonly base?: JsonObject
  /** Which of these fields a save has taken already: they are shown again, and are not unsaved. */
  readonly saved?: readonly string[]
}

/** A write that waits for the network. */
export interface WaitingWrite {
  /** As it would have been sent, `clientToken` included: the server does it once, however often it arrives. */
  readonly request: Pick<HttpRequest, 'url' | 'method' | 'headers' | 'body'>
  /** What the user is shown of it while it waits. */
  readonly title: string
  readonly text: string
  /** What was typed, so that it can be changed. */
  readonly draft: Draft
}

/** Writes of one form that wait for the network. */
export interface Outbox {
  /** Keeps a write until it is sent. False: the device cannot store it. */
  put(write: WaitingWrite): Promise<boolean>
  /** The form has reached the server by itself; a waiting write that it was opened from is over. */
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
  /** Opens a form above this page; what is made there (the server's answer), or null when it is left without. Missing: nothing is made from here. */
  ask?(url: string): Promise<Json>
  /** Hands what was just made to the page that asked for it, and goes back there. False: nobody waits for this page. */
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
  /** A button in it, which ends it; what it runs is over when that resolves. */
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
  /** Takes over a new token; resolves when the user's detail has been read again. */
  signIn(answer: JsonObject): Promise<void>
  signOut(): Promise<void>
  /** Reads the user's detail and menus again, after they changed something of their own. */
  refresh(): Promise<void>
}

/** What only the device can do. */
export interface Device {
  dial(phone: string): void
  copy(text: string): Promise<boolean>
  share(options: { readonly title: string; readonly url: string }): Promise<void>
  /** The whole address of a page of ours, as another phone opens it. */
  addressOf(url: string): string
  /** Where an address of ours that begins at the root (`/…`) is asked for: the app may be served below a path. Default: as it is. */
  served?(url: string): string
  openDocument(url: string): Promise<boolean>
  /** Asks the user where they are; `refused` when they or their device say no, `unavailable` when no place was found. With `from`, a place, also how far that is. */
  locate(from?: Json): Promise<Place | 'refused' | 'unavailable'>
}

/** A place in degrees of WGS-84. */
export interface Place {
  readonly lng: number
  readonly lat: number
  /** Metres around it. */
  readonly accuracy: number
  /** Metres to the place that was asked about. */
  readonly distance?: number
}

/** Looks up a text a user can see, by code, in the language in force; `params` fill `{name}` places. */
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

/** What a script asked the page to do besides writing state (a toast, a navigation, focus …). */
export interface Effect {
  readonly name: string
  readonly args: readonly Json[]
}

/** A run's answer to the page. `base` is the last turn the replica had applied when the writes were made. */
export interface Batch {
  readonly base: number
  readonly writes: readonly Write[]
  readonly effects: readonly Effect[]
}

/**
 * Why a hook did not run to its end, or a rule (`hook` is its option) has no answer. `stopped`: three strikes, it will not run again
 * until the page is reloaded.
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
    | 'RULE_BUDGET'
  readonly message: string
  /** Line in the hook's own code, from 1, when known. */
  readonly line?: number
  readonly stopped: boolean
}

/** Budget of one run (HOOKS 1.1). A page may lower each. */
export interface ScriptLimits {
  /** Default 100. The worker is terminated when a run has not ended 60 ms after this. */
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
/** Something that a run has read of the page: by which call, and what that answered. */
export interface ScriptRead {
  readonly name: string
  readonly args: readonly Json[]
  /** Cut short where it is long. */
  readonly value: Json
}

export interface ScriptPage {
  /** The page document as loaded (plain JSON); the replica parses it with the same parser. */
  readonly document: JsonObject
  readonly limits: ScriptLimits
  /** Every cell of the page now; used at the start and after a worker was replaced. */
  snapshot(): { readonly turn: number; readonly writes: readonly Write[]; readonly context?: ScriptContext }
  /** A run's writes and effects. */
  onBatch(batch: Batch): void
  onReport(report: ScriptReport): void
  /** Where somebody looks on: what a run has read, told before its first batch. Without it nobody notes that. */
  onReads?(reads: readonly ScriptRead[]): void
  /** A promise the script awaits: `executeDataSource`, `confirm`. Rejections reach the script as errors. */
  onRequest(name: string, args: readonly Json[]): Promise<Json>
}

export interface ScriptSession {
  /** Applies the page's writes to the replica in order, then fires the hooks. `turn` grows by one with each post. */
  post(turn: number, writes: readonly Write[], fire: readonly HookCall[]): void
  /**
   * Runs one hook for its answer (onValidate, dataHandlerCode …). A failed run answers `ok: false`, and so does code that nothing is
   * under way for that could still make it answer.
   *
   * @param onLeftOpen  called when the code has run and its answer is still to come
   */
  ask(call: HookCall, onLeftOpen?: () => void): Promise<Outcome<Json>>
  /** What rules and scripts read besides cells has changed; parts left out stay. In order with the posts. */
  setContext(context: ScriptContext): void
  /** Resolves when every post so far has been worked off (tests, validation). */
  settled(): Promise<void>
  dispose(): void
}

export interface Script {
  open(page: ScriptPage): ScriptSession
}
