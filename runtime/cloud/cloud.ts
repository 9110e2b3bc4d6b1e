import type { Json, JsonObject } from '../core/json.ts'
import type { FunctionOptions } from './call-function.ts'
import type { Callbacks, CloudEvents } from './call-life.ts'
import type { ChooseOptions, ChosenFiles } from './choose-and-upload.ts'
import type { CloudObject, ObjectCall, ObjectOptions } from './cloud-object.ts'
import type { CurrentUser } from './current-user.ts'
import type { Database } from './database/database.ts'
import type { CloudApi, Interceptor } from './interceptors.ts'
import type { LoginGuard, LoginGuardPorts, LoginRules } from './login-guard.ts'
import type {
  FileListReply,
  FunctionReply,
  TempFile,
  TempFileCall,
  UploadCall,
  UploadReply,
} from './provider.ts'
import type { TencentAuth } from './providers/tencent-auth.ts'

interface FileIds {
  readonly fileList: readonly string[]
}
type Temp = { readonly fileList: readonly TempFile[] }

/**
 * The client of one cloud space. Calls return a promise that rejects with a CloudError; callbacks are supported in addition. Listeners, interceptors,
 * client information and the login are shared by all spaces.
 */
export interface Cloud {
  readonly spaceId: string
  /** The client of another configured space. @throws Error if there is none of that name */
  space(spaceId: string): Cloud
  callFunction(options: FunctionOptions & Callbacks<FunctionReply>): Promise<FunctionReply>
  callObject(call: ObjectCall, options?: ObjectOptions): Promise<Json>
  importObject(objectName: string, options?: ObjectOptions): CloudObject
  /** Results are the whole response of a call. */
  database(): Database
  /** Results are the inner results. */
  databaseForJQL(): Database
  uploadFile(options: UploadCall & Callbacks<UploadReply>): Promise<UploadReply>
  getTempFileURL(options: TempFileCall & Callbacks<Temp>): Promise<Temp>
  /** Providers 2 and private; elsewhere INVALID_OPERATION. */
  deleteFile(options: FileIds & Callbacks<FileListReply>): Promise<FileListReply>
  /** Provider 1; elsewhere INVALID_OPERATION. */
  getFileInfo(options: FileIds & Callbacks<FileListReply>): Promise<FileListReply>
  chooseAndUploadFile(options: ChooseOptions & Callbacks<ChosenFiles>): Promise<ChosenFiles>
  getCurrentUserInfo(): Promise<CurrentUser>
  on<E extends keyof CloudEvents>(event: E, listener: (payload: CloudEvents[E]) => void): () => void
  addInterceptor(api: CloudApi, interceptor: Interceptor): void
  removeInterceptor(api: CloudApi, interceptor?: Interceptor): void
  setCustomClientInfo(info: JsonObject): void
  guardLogin(rules: LoginRules, ports: LoginGuardPorts): LoginGuard
  /** Deletes the login token; call it when the user or the tenant changes. */
  forgetLogin(): Promise<void>
  /** Login of provider 2. */
  readonly auth: TencentAuth | undefined
}
