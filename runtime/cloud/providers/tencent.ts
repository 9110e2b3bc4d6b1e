import { isObject, type Json, type JsonObject, ownValue } from '../../core/json.ts'
import { CloudError, textOf } from '../cloud-error.ts'
import { checkCloudPath, checkFileIds, checkList } from '../file-checks.ts'
import type {
  FunctionCall,
  FunctionReply,
  Provider,
  ProviderTools,
  TempFile,
  TempFileRequest,
  UploadCall,
  UploadReply,
} from '../provider.ts'
import { sendFile } from '../send-file.ts'
import type { TencentSpace } from '../space.ts'
import { createAnonymousAccess } from './tencent-anonymous.ts'
import { createTencentAuth, type TencentAuth } from './tencent-auth.ts'
import { createTencentStore } from './tencent-store.ts'
import { checkWebAnswer, createWebCall, dataOf, numberRequest, type WebRequest } from './tencent-web.ts'

/** Error codes after which the action is repeated once with a new token. */
const STALE = new Set<unknown>(['ACCESS_TOKEN_DISABLED', 'ACCESS_TOKEN_EXPIRED'])

/** Provider 2 and its login. */
export interface TencentProvider extends Provider {
  readonly auth: TencentAuth
}

/** Provider 2 (PROTOCOL 2.2). */
export function tencentProvider(space: TencentSpace, tools: ProviderTools): TencentProvider {
  const { text } = tools.ports
  const store = createTencentStore(tools.ports.storage, space.spaceId)
  const anonymous = createAnonymousAccess(space, tools, store)
  const web = createWebCall(space, tools, store)
  const auth = createTencentAuth(space, tools, store, anonymous, web)

  async function send(request: WebRequest): Promise<JsonObject> {
    const used = await auth.accessToken()
    const answer = await web({ ...request, token: used })
    if (!STALE.has(answer.code)) return checkWebAnswer(answer)
    return checkWebAnswer(await web({ ...request, token: await auth.renew(used) }))
  }

  async function callFunction(call: FunctionCall): Promise<FunctionReply> {
    if (call.name === '')
      throw new CloudError({ code: 'PARAM_ERROR', message: text('cloud.function-name-empty') })
    const { query, parse, search, timeoutMs, signal } = call
    const fields = {
      function_name: call.name,
      request_data: JSON.stringify(call.data),
      inQuery: query,
      parse,
      search,
    }
    const answer = await send({
      action: 'functions.invokeFunction',
      fields,
      query,
      parse,
      search,
      timeoutMs,
      signal,
    })
    const returned = dataOf(answer, 'response_data') ?? null
    const requestId = textOf(answer.requestId)
    return { result: parse ? returned : readResponse(returned, requestId), requestId }
  }

  async function uploadFile(upload: UploadCall): Promise<UploadReply> {
    checkCloudPath(upload.cloudPath, text)
    const path = upload.cloudPath
    const ticket = await send({ action: 'storage.getUploadMetadata', fields: { path } })
    const field = (name: string) => String(dataOf(ticket, name) ?? '')
    const { seqId, headers } = numberRequest(tools.ports.random)
    const reply = await sendFile(tools.ports, upload, {
      url: field('url'),
      headers,
      data: {
        key: path,
        signature: field('authorization'),
        'x-cos-meta-fileid': field('cosFileId'),
        success_action_status: '201',
        'x-cos-security-token': field('token'),
        seqId,
      },
    })
    if (reply.status !== 200 && reply.status !== 201) {
      const words = `STORAGE_REQUEST_FAIL: ${typeof reply.data === 'string' ? reply.data : reply.errMsg}`
      throw new CloudError({ code: 'STORAGE_REQUEST_FAIL', message: words, cause: reply.failure })
    }
    return { fileID: field('fileId'), requestId: textOf(ticket.requestId) }
  }

  return {
    auth,
    async initialise() {
      if (!(await anonymous.hasToken())) await auth.signInAnonymously()
    },
    callFunction,
    uploadFile,
    async deleteFile({ fileList }) {
      const fileid_list = checkFileIds(fileList, { emptyText: 'cloud.list-not-array' }, text)
      const answer = await send({ action: 'storage.batchDeleteFile', fields: { fileid_list } })
      return { fileList: dataOf(answer, 'delete_list') ?? [], requestId: textOf(answer.requestId) }
    },
    async getTempFileURL({ fileList }) {
      const list = checkList<TempFileRequest>(fileList, { emptyText: 'cloud.list-not-array' }, text)
      const file_list = list.map((one) => fileRequest(one))
      const answer = await send({ action: 'storage.batchGetDownloadUrl', fields: { file_list } })
      const found = dataOf(answer, 'download_list')
      return {
        fileList: (Array.isArray(found) ? found : []).map(tempFile),
        requestId: textOf(answer.requestId),
      }
    },
  }

  function fileRequest(file: unknown): JsonObject {
    if (typeof file === 'string' && file !== '') return { fileid: file }
    const fileid = textOf(ownValue(file, 'fileID'))
    const max_age = ownValue(file, 'maxAge')
    if (!fileid || max_age === undefined) {
      throw new CloudError({ code: 'INVALID_PARAM', message: text('cloud.list-items') })
    }
    return { fileid, max_age }
  }
}

function readResponse(returned: Json, requestId: string | undefined): Json {
  try {
    if (typeof returned === 'string') return JSON.parse(returned) as Json
  } catch {
    // Reported below, like an answer that is not a text.
  }
  throw new CloudError({ message: 'response data must be json', requestId })
}

function tempFile(entry: Json): TempFile {
  const fileID = String(ownValue(entry, 'fileID') ?? ownValue(entry, 'fileid') ?? '')
  const tempFileURL = String(ownValue(entry, 'tempFileURL') ?? ownValue(entry, 'download_url') ?? '')
  return { ...(isObject(entry) ? entry : {}), fileID, tempFileURL }
}
