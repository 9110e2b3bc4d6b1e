/** The public interface of the cloud client: functions, objects, database and files (PROTOCOL 1, 2). */
export type { FunctionOptions } from './call-function.ts'
export type { Callbacks, CloudEvents, NeedLogin } from './call-life.ts'
export {
  type ChooseOptions,
  type ChosenFile,
  type ChosenFiles,
  cloudPathOf,
  type FileProgress,
  type UploadedFile,
} from './choose-and-upload.ts'
export type { Cloud } from './cloud.ts'
export { CloudError } from './cloud-error.ts'
export type { CloudObject, ObjectCall, ObjectOptions, SystemError } from './cloud-object.ts'
export type { ClientFacts, CloudPorts, Log } from './cloud-ports.ts'
export { type CloudTarget, parseCloudUrl, runCloudUrl } from './cloud-url.ts'
export { CLOUD_CODES, type CloudCode, SECURE_NETWORK } from './codes.ts'
export { type CloudOptions, createCloud } from './create-cloud.ts'
export { type CurrentUser, hasPermission, hasRole, isTokenValid } from './current-user.ts'
export type { DbChain } from './database/chain.ts'
export type { Database } from './database/database.ts'
export type { DatabaseEvents } from './database/send-command.ts'
export type { DbExpression, DbParam } from './database/serialise.ts'
export type { CloudApi, Interceptor } from './interceptors.ts'
export { pingDebugService } from './local-debug.ts'
export type { LoginGuard, LoginGuardPorts, LoginRules } from './login-guard.ts'
export { type CloudQuery, type QueryPage, runQuery } from './paged-query.ts'
export type { FunctionReply, TempFile, UploadCall, UploadProgress, UploadReply } from './provider.ts'
export type { TencentAuth, TencentEvents } from './providers/tencent-auth.ts'
export type { CloudSpace } from './space.ts'
export { createTempAddresses, type TempAddresses } from './temp-addresses.ts'
