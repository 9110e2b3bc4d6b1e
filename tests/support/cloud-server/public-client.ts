import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createContext, Script } from 'node:vm'
import type { CloudObject, CloudSpace, Database } from '../../../runtime/cloud/index.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { SYSTEM } from './cloud-at.ts'
import { rerouteTo } from './reroute.ts'

/** The parts of the public client (`@dcloudio/uni-cloud`) that tests call. */
export interface PublicClient {
  callFunction(options: object): Promise<Json>
  importObject(name: string, options?: object): CloudObject
  database(): Database
  databaseForJQL(): Database
  uploadFile(options: object): Promise<Json>
  deleteFile(options: object): Promise<Json>
  chooseAndUploadFile(options: object): Promise<Json>
  getTempFileURL(options: object): Promise<Json>
  getFileInfo(options: object): Promise<Json>
  getCurrentUserInfo(): Json
}

interface UniRequest {
  readonly url: string
  readonly method?: string
  readonly data?: Json
  readonly header?: Readonly<Record<string, string>>
  readonly success?: (answer: JsonObject) => void
  readonly fail?: (error: JsonObject) => void
  readonly complete?: (outcome: JsonObject) => void
}
interface UniUpload extends UniRequest {
  readonly filePath: string
  readonly name: string
  readonly formData?: Readonly<Record<string, string>>
}

/**
 * Runs the published bundle in a separate context, with the framework's `uni` object on fetch and a fixed clock.
 * @param files  the files behind the choosers' paths
 */
export function loadPublicClient(
  space: CloudSpace,
  origin: string,
  now: number,
  files: ReadonlyMap<string, Blob> = new Map(),
): { readonly client: PublicClient; readonly storage: Map<string, Json> } {
  const storage = new Map<string, Json>()
  const send = rerouteTo(origin)
  const uni = {
    request: (options: UniRequest) => void request(send, options),
    uploadFile: (options: UniUpload) => void upload(send, options, files),
    chooseImage: ({ success }: UniRequest) => success?.(chosenIn(files)),
    getStorageSync: (key: string) => storage.get(key) ?? '',
    setStorageSync: (key: string, value: Json) => void storage.set(key, value),
    removeStorageSync: (key: string) => void storage.delete(key),
    getSystemInfoSync: () => ({ ...SYSTEM }),
    getLocale: () => 'zh-Hans',
    showLoading: () => undefined,
    hideLoading: () => undefined,
    showModal: (options: { success: (answer: JsonObject) => void }) => options.success({ confirm: false }),
    addInterceptor: () => undefined,
  }
  const env = {
    NODE_ENV: 'production',
    UNI_PLATFORM: 'h5',
    UNI_CLOUD_PROVIDER: JSON.stringify([space]),
  }
  const quiet = { log: () => undefined, warn: () => undefined, error: () => undefined, info: () => undefined }
  const module = { exports: {} as { default: PublicClient } }
  const context = createContext({
    module,
    exports: module.exports,
    require: () => ({}),
    process: { env },
    uni,
    console: quiet,
    setTimeout,
    encodeURIComponent,
    atob,
    getCurrentPages: () => [],
  })
  new Script(`Date.now = () => ${now}`).runInContext(context)
  const path = createRequire(import.meta.url).resolve('@dcloudio/uni-cloud')
  new Script(readFileSync(path, 'utf8'), { filename: path }).runInContext(context)
  return { client: module.exports.default, storage }
}

async function request(send: typeof fetch, options: UniRequest): Promise<void> {
  const method = options.method ?? 'GET'
  const headers = new Headers(options.header)
  if (method !== 'GET' && !headers.has('content-type')) headers.set('content-type', 'application/json')
  const body = typeof options.data === 'string' ? options.data : JSON.stringify(options.data)
  await finish(options, 'request', async () => {
    const answer = await send(options.url, method === 'GET' ? { method, headers } : { method, headers, body })
    return { statusCode: answer.status, header: headersOf(answer), data: (await answer.json()) as Json }
  })
}

async function upload(
  send: typeof fetch,
  options: UniUpload,
  files: ReadonlyMap<string, Blob>,
): Promise<void> {
  const form = new FormData()
  for (const [name, value] of Object.entries(options.formData ?? {})) form.append(name, String(value))
  form.append(options.name, files.get(options.filePath) ?? new Blob(), options.filePath)
  await finish(options, 'uploadFile', async () => {
    const answer = await send(options.url, { method: 'POST', headers: { ...options.header }, body: form })
    return { statusCode: answer.status, header: headersOf(answer), data: await answer.text() }
  })
}

/** A chooser's answer after the user took every file. */
function chosenIn(files: ReadonlyMap<string, Blob>): JsonObject {
  const tempFiles = [...files].map(([path, { size }]) => ({ path, name: path, size }))
  return { errMsg: 'chooseImage:ok', tempFilePaths: [...files.keys()], tempFiles }
}

async function finish(options: UniRequest, api: string, work: () => Promise<JsonObject>): Promise<void> {
  try {
    const answer = { ...(await work()), errMsg: `${api}:ok` }
    options.success?.(answer)
    options.complete?.(answer)
  } catch {
    const error = { errMsg: `${api}:fail` }
    options.fail?.(error)
    options.complete?.(error)
  }
}

function headersOf(answer: Response): JsonObject {
  return Object.fromEntries(answer.headers.entries())
}
