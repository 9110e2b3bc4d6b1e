import type { Json, JsonObject } from '../core/json.ts'
import type { AbortLike, FileHandle } from '../core/ports.ts'
import type { CloudPorts } from './cloud-ports.ts'

/** A call of one cloud function with its complete data. */
export interface FunctionCall {
  readonly name: string
  readonly data: JsonObject | readonly Json[]
  readonly timeoutMs: number
  readonly signal?: AbortLike | undefined
  /** Provider 3: does not wait for the result. */
  readonly async?: boolean | undefined
  /** Provider 2: merged into the query. */
  readonly query?: Readonly<Record<string, string>> | undefined
  /** Provider 2: the result is parsed. */
  readonly parse?: boolean | undefined
  /** Provider 2: appended to the address unchanged. */
  readonly search?: string | undefined
}

/** `result` is the return value of the function; other fields of the provider are kept. */
export interface FunctionReply extends JsonObject {
  readonly result: Json
  readonly requestId?: string | undefined
}

export interface UploadCall {
  readonly file: FileHandle
  readonly cloudPath: string
  /** Returned in the reply; default the file's name. */
  readonly filePath?: string | undefined
  /** Provider 1: the path becomes the file's real path. */
  readonly cloudPathAsRealPath?: boolean | undefined
  readonly onUploadProgress?: ((progress: UploadProgress) => void) | undefined
  readonly signal?: AbortLike | undefined
}

/** In bytes. */
export interface UploadProgress {
  readonly loaded: number
  readonly total: number
}

export interface UploadReply {
  /** Providers 1 and private. */
  readonly success?: true
  readonly filePath?: string
  /** The id of the file; see {@link Provider.getTempFileURL}. */
  readonly fileID: string
  readonly requestId?: string | undefined
}

/** A file id, or (provider 2) one with the lifetime of its address in seconds. */
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

/** The protocol of one provider. All methods reject only with a CloudError. A method that a provider does not support is absent. */
export interface Provider {
  /** Signs in anonymously, if the provider requires it before the first call. */
  initialise(): Promise<void>
  callFunction(call: FunctionCall): Promise<FunctionReply>
  uploadFile(call: UploadCall): Promise<UploadReply>
  getTempFileURL(
    call: TempFileCall,
  ): Promise<{ readonly fileList: readonly TempFile[]; readonly requestId?: string | undefined }>
  deleteFile?(call: { readonly fileList: readonly string[] }): Promise<FileListReply>
  getFileInfo?(call: { readonly fileList: readonly string[] }): Promise<FileListReply>
}

/** The dependencies of a provider besides its settings. */
export interface ProviderTools {
  readonly ports: CloudPorts
  readonly timeoutMs: number
  readonly clientInfo: () => JsonObject
  readonly loginToken: () => Promise<string | undefined>
}
