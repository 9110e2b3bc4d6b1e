import type { Json, JsonObject } from '../core/json.ts'
import type { AbortLike, FileHandle } from '../core/ports.ts'
import type { CloudPorts } from './cloud-ports.ts'

/** A call of one cloud function, data complete. */
export interface FunctionCall {
  readonly name: string
  readonly data: JsonObject | readonly Json[]
  readonly timeoutMs: number
  readonly signal?: AbortLike | undefined
  /** Provider 3: the answer is not waited for. */
  readonly async?: boolean | undefined
  /** Provider 2: merged into the query. */
  readonly query?: Readonly<Record<string, string>> | undefined
  /** Provider 2: the answer comes parsed. */
  readonly parse?: boolean | undefined
  /** Provider 2: appended to the address as it is. */
  readonly search?: string | undefined
}

/** `result` is what the function returned; the provider's other fields are kept. */
export interface FunctionReply extends JsonObject {
  readonly result: Json
  readonly requestId?: string | undefined
}

export interface UploadCall {
  readonly file: FileHandle
  readonly cloudPath: string
  /** Echoed in the answer; default the file's name. */
  readonly filePath?: string | undefined
  /** Provider 1: the path is kept as the file's real path. */
  readonly cloudPathAsRealPath?: boolean | undefined
  readonly onUploadProgress?: ((progress: UploadProgress) => void) | undefined
  readonly signal?: AbortLike | undefined
}

/** Bytes. */
export interface UploadProgress {
  readonly loaded: number
  readonly total: number
}

export interface UploadReply {
  /** Providers 1 and private. */
  readonly success?: true
  readonly filePath?: string
  /** How the file is named from now on; see {@link Provider.getTempFileURL}. */
  readonly fileID: string
  readonly requestId?: string | undefined
}

/** A file id, or (provider 2) one with the seconds its address shall live. */
export type TempFileRequest = string | { readonly fileID: string; readonly maxAge: number }

export interface TempFileCall {
  readonly fileList: readonly TempFileRequest[]
  /** Seconds; private provider only. */
  readonly maxAge?: number | undefined
}

export interface TempFile extends JsonObject {
  readonly fileID: string
  readonly tempFileURL: string
}

export interface FileListReply {
  readonly fileList: Json
  readonly requestId?: string | undefined
}

/**
 * One cloud on the wire. Every act rejects with a CloudError, never with anything else. A missing act does not exist there.
 */
export interface Provider {
  /** Signs in anonymously where the provider wants that before the first call. */
  initialise(): Promise<void>
  callFunction(call: FunctionCall): Promise<FunctionReply>
  uploadFile(call: UploadCall): Promise<UploadReply>
  getTempFileURL(
    call: TempFileCall,
  ): Promise<{ readonly fileList: readonly TempFile[]; readonly requestId?: string | undefined }>
  deleteFile?(call: { readonly fileList: readonly string[] }): Promise<FileListReply>
  getFileInfo?(call: { readonly fileList: readonly string[] }): Promise<FileListReply>
}

/** What a provider is given besides its settings. */
export interface ProviderTools {
  readonly ports: CloudPorts
  readonly timeoutMs: number
  readonly clientInfo: () => JsonObject
  readonly loginToken: () => Promise<string | undefined>
}
