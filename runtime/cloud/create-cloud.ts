import type { Json, JsonObject } from '../core/json.ts'
import { type CallFunction, createCallFunction, type FunctionOptions } from './call-function.ts'
import { type Callbacks, type CloudEvents, runLife, settle } from './call-life.ts'
import { type ChooseOptions, type ChosenFiles, chooseAndUpload } from './choose-and-upload.ts'
import { type ClientInfo, createClientInfo } from './client-info.ts'
import { CloudError } from './cloud-error.ts'
import {
  type CloudObject,
  callObject,
  importObject,
  type ObjectCall,
  type ObjectOptions,
} from './cloud-object.ts'
import type { ClientFacts, CloudPorts } from './cloud-ports.ts'
import { type CurrentUser, readCurrentUser } from './current-user.ts'
import { createDatabase, type Database } from './database/database.ts'
import { type CloudApi, createInterceptors, type Interceptor, type Interceptors } from './interceptors.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { createLocalDebug } from './local-debug.ts'
import { createLoginGuard, type LoginGuard, type LoginGuardPorts, type LoginRules } from './login-guard.ts'
import { makeProvider } from './make-provider.ts'
import type {
  FileListReply,
  FunctionReply,
  Provider,
  ProviderTools,
  TempFile,
  TempFileCall,
  UploadCall,
  UploadReply,
} from './provider.ts'
import type { TencentAuth } from './providers/tencent-auth.ts'
import { createSavedToken, type SavedToken } from './saved-token.ts'
import { singleFlight } from './single-flight.ts'
import { type CloudSpace, checkSpace, clampTimeout } from './space.ts'

export interface CloudOptions {
  /** At least one; the first is the one used when none is named. */
  readonly spaces: readonly CloudSpace[]
  readonly ports: CloudPorts
  readonly client: ClientFacts
}

interface FileIds {
  readonly fileList: readonly string[]
}
type Temp = { readonly fileList: readonly TempFile[] }

/**
 * The client of one cloud space. Calls answer with a promise that rejects with a CloudError; callbacks may be given besides.
 * Listeners, interceptors, client information and the login are shared by all spaces.
 */
export interface Cloud {
  readonly spaceId: string
  /** The client of another configured space. @throws Error when there is none of that name */
  space(spaceId: string): Cloud
  callFunction(options: FunctionOptions & Callbacks<FunctionReply>): Promise<FunctionReply>
  callObject(call: ObjectCall, options?: ObjectOptions): Promise<Json>
  importObject(objectName: string, options?: ObjectOptions): CloudObject
  /** Answers are the whole response of the call. */
  database(): Database
  /** Answers are the inner results. */
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
  /** Throws the login token away; call it when the user or the tenant changes. */
  forgetLogin(): Promise<void>
  /** Login of provider 2. */
  readonly auth: TencentAuth | undefined
}

interface Shared {
  readonly ports: CloudPorts
  readonly events: Listeners<CloudEvents>
  readonly interceptors: Interceptors
  readonly clientInfo: ClientInfo
  readonly savedToken: SavedToken
  readonly find: (spaceId: string) => Cloud
}

/** Builds the cloud client; nothing is sent before the first call. @throws Error on settings that cannot work */
export function createCloud({ spaces, ports, client }: CloudOptions): Cloud {
  const clients = new Map<string, Cloud>()
  const shared: Shared = {
    ports,
    events: createListeners<CloudEvents>(ports.log),
    interceptors: createInterceptors(),
    clientInfo: createClientInfo(client),
    savedToken: createSavedToken(ports.storage),
    find(spaceId) {
      const found = clients.get(spaceId)
      if (!found) throw new Error(`no cloud space is called "${spaceId}"`)
      return found
    },
  }
  for (const space of spaces) clients.set(space.spaceId, createClient(space, shared))
  const [first] = clients.values()
  if (!first) throw new Error('a cloud needs at least one space')
  return first
}

function createClient(space: CloudSpace, shared: Shared): Cloud {
  checkSpace(space)
  const { ports, events, interceptors, clientInfo, savedToken } = shared
  const tools: ProviderTools = {
    ports,
    timeoutMs: clampTimeout(space.timeoutMs, ports.log),
    clientInfo: clientInfo.read,
    loginToken: async () => (await savedToken.read()).token,
  }
  const provider = makeProvider(space, tools)
  const initialised = singleFlight(provider.initialise, true)
  const direct = createCallFunction(space, provider, tools, createLocalDebug(space, ports))
  const callFunction: CallFunction = async (options) => {
    await initialised.run()
    return direct(withTimeout(options, ports))
  }
  const inner = { ports, callFunction, savedToken, events, interceptors }
  const databases = { plain: createDatabase(inner, false), short: createDatabase(inner, true) }

  /** One call with its whole life; `work` gets the arguments as the interceptors left them. */
  function live<O extends Callbacks<R>, R>(
    api: CloudApi,
    options: O,
    work: (args: O) => Promise<R>,
    respond?: (content: R | CloudError) => void,
  ): Promise<R> {
    const args = { ...options }
    const run = async () => {
      await initialised.run()
      const steps = { api, args: args as Record<string, unknown>, work: () => work(args) }
      return runLife(interceptors, respond ? { ...steps, respond } : steps)
    }
    return settle(run(), options, ports.log)
  }

  function must<K extends 'deleteFile' | 'getFileInfo'>(api: K): NonNullable<Provider[K]> {
    const act = provider[api]
    if (act) return act
    throw new CloudError({ code: 'INVALID_OPERATION', message: ports.text('cloud.not-offered', { api }) })
  }

  return {
    spaceId: space.spaceId,
    space: shared.find,
    callFunction: (options) =>
      live(
        'callFunction',
        options,
        (args) => direct(withTimeout(args, ports)),
        (content) => events.fire('response', { type: 'cloudfunction', content }),
      ),
    callObject: (call, options = {}) => callObject(inner, call, options),
    importObject: (objectName, options = {}) => importObject(inner, objectName, options),
    database: () => databases.plain,
    databaseForJQL: () => databases.short,
    uploadFile: (options) => live('uploadFile', options, provider.uploadFile),
    getTempFileURL: (options) => live('getTempFileURL', options, provider.getTempFileURL),
    deleteFile: (options) => live('deleteFile', options, async (args) => must('deleteFile')(args)),
    getFileInfo: (options) => live('getFileInfo', options, async (args) => must('getFileInfo')(args)),
    chooseAndUploadFile: (options) =>
      live('chooseAndUploadFile', options, (args) => chooseAndUpload(ports, provider.uploadFile, args)),
    getCurrentUserInfo: async () => readCurrentUser((await savedToken.read()).token, ports.text),
    on: events.on,
    addInterceptor: interceptors.add,
    removeInterceptor: interceptors.remove,
    setCustomClientInfo: clientInfo.setCustom,
    guardLogin: (rules, guardPorts) => createLoginGuard(rules, guardPorts, savedToken, events),
    forgetLogin: savedToken.forget,
    auth: 'auth' in provider ? provider.auth : undefined,
  }
}

function withTimeout(options: FunctionOptions, ports: CloudPorts): FunctionOptions {
  if (options.timeoutMs === undefined) return options
  return { ...options, timeoutMs: clampTimeout(options.timeoutMs, ports.log) }
}
