import { type CallFunction, createCallFunction, type FunctionOptions } from './call-function.ts'
import { type Callbacks, type CloudEvents, runLife, settle } from './call-life.ts'
import { chooseAndUpload } from './choose-and-upload.ts'
import { type ClientInfo, createClientInfo } from './client-info.ts'
import type { Cloud } from './cloud.ts'
import { CloudError } from './cloud-error.ts'
import { callObject, importObject } from './cloud-object.ts'
import type { ClientFacts, CloudPorts } from './cloud-ports.ts'
import { readCurrentUser } from './current-user.ts'
import { createDatabase } from './database/database.ts'
import { type CloudApi, createInterceptors, type Interceptors } from './interceptors.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { createLocalDebug } from './local-debug.ts'
import { createLoginGuard } from './login-guard.ts'
import { makeProvider } from './make-provider.ts'
import type { Provider, ProviderTools } from './provider.ts'
import { createSavedToken, type SavedToken } from './saved-token.ts'
import { singleFlight } from './single-flight.ts'
import { type CloudSpace, checkSpace, clampTimeout } from './space.ts'

export interface CloudOptions {
  /** At least one; the first is the default. */
  readonly spaces: readonly CloudSpace[]
  readonly ports: CloudPorts
  readonly client: ClientFacts
}

interface Shared {
  readonly ports: CloudPorts
  readonly events: Listeners<CloudEvents>
  readonly interceptors: Interceptors
  readonly clientInfo: ClientInfo
  readonly savedToken: SavedToken
  readonly find: (spaceId: string) => Cloud
}

/** Creates the cloud client; nothing is sent before the first call. @throws Error for invalid settings */
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

  /** One call with its interceptors, callbacks and events; `work` gets the arguments after the interceptors. */
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
