import { type Json, type JsonObject, ownValue } from '../../core/json.ts'
import { CloudError, codeOf, textOf } from '../cloud-error.ts'
import type { Reply } from '../exchange.ts'
import { checkCloudPath, checkFileIds } from '../file-checks.ts'
import { MAX_FILES, TEMP_URL_SECONDS } from '../limits.ts'
import type {
  FunctionCall,
  FunctionReply,
  Provider,
  ProviderTools,
  UploadCall,
  UploadReply,
} from '../provider.ts'
import { sendFile, uploadFailed } from '../send-file.ts'
import type { AlipaySpace } from '../space.ts'
import { type AlipayRequest, callAlipay } from './alipay-call.ts'
import { failText } from './client-call.ts'

/** Validity of a signed storage request, in milliseconds. */
const STORAGE_EXPIRY_MS = 60_000
const CLOUD = 'cloud://'

/** Provider 3 (PROTOCOL 2.3). Clients cannot delete files. */
export function alipayProvider(space: AlipaySpace, tools: ProviderTools): Provider {
  const { text, clock, log } = tools.ports

  async function send(request: AlipayRequest) {
    const reply = await callAlipay(space, tools, request)
    if (reply.status === 0 || reply.status >= 400) throw systemError(reply, reply.requestId)
    return reply
  }

  async function callFunction(call: FunctionCall): Promise<FunctionReply> {
    const reply = await send({
      method: 'POST',
      path: '/functions/invokeFunction',
      body: call.data,
      functionName: call.name,
      headers: {
        'x-to-function-name': call.name,
        ...(call.async ? { 'x-function-invoke-type': 'async' } : {}),
      },
      signed: ['x-to-function-name'],
      timeoutMs: call.timeoutMs,
    })
    const { requestId } = reply
    if (!call.async) return { errCode: 0, success: true, result: reply.data, requestId }
    const code = ownValue(reply.data, 'errCode')
    if (String(code) !== '200') throw wireError(reply.data, requestId)
    return { errCode: 0, success: true, result: ownValue(reply.data, 'data') ?? {}, requestId }
  }

  async function callStorage(method: 'GET' | 'POST', path: string, body?: JsonObject): Promise<Json> {
    const headers = {
      'x-alipay-cloud-mode': 'oss',
      'x-data-api-type': 'oss',
      'x-expire-timestamp': String(clock.now() + STORAGE_EXPIRY_MS),
    }
    const signed = ['x-data-api-type', 'x-expire-timestamp']
    const reply = await send({ method, path, body, functionName: '', headers, signed })
    if (ownValue(reply.data, 'success') !== true) throw wireError(reply.data, reply.requestId)
    return ownValue(reply.data, 'data') ?? {}
  }

  async function uploadFile(upload: UploadCall): Promise<UploadReply> {
    const path = checkCloudPath(upload.cloudPath, text)
    const ticket = await callStorage('GET', `/${path.replace(/^\//, '')}?post_url`)
    const url = String(ownValue(ticket, 'upload_url'))
    const reply = await sendFile(tools.ports, upload, {
      url,
      data: formFields(ownValue(ticket, 'form_data')),
    })
    if (reply.status === 0 || reply.status >= 400) throw uploadFailed(text, reply)
    return { fileID: String(ownValue(ticket, 'file_id')) }
  }

  /** The path of a file id; an id in another format is sent unchanged, with a warning. */
  function pathOf(fileID: string): string {
    const rest = fileID.trim().replace(CLOUD, '')
    const slash = rest.indexOf('/')
    if (slash <= 0) {
      log('warn', `INVALID_PARAM ${text('cloud.file-id-invalid')}: ${fileID}`)
      return fileID
    }
    if (rest.slice(0, slash) !== space.spaceId)
      log('warn', `file ${fileID} does not belong to ${space.spaceId}`)
    return rest.slice(slash + 1)
  }

  return {
    initialise: async () => undefined,
    callFunction,
    uploadFile,
    async getTempFileURL({ fileList }) {
      const ids = checkFileIds(fileList, { emptyText: 'cloud.list-empty', most: MAX_FILES }, text)
      const file_list = ids.map((id) => ({ file_id: pathOf(id), expire: TEMP_URL_SECONDS }))
      const answer = ownValue(await callStorage('POST', '/?download_url', { file_list }), 'file_list')
      return {
        fileList: (Array.isArray(answer) ? answer : []).map((one: Json) => ({
          fileID: `${CLOUD}${space.spaceId}/${String(ownValue(one, 'file_id')).replace(/^\/+/, '')}`,
          tempFileURL: String(ownValue(one, 'download_url')),
        })),
      }
    },
  }
}

function systemError(reply: Reply, sent: string): CloudError {
  const message =
    textOf(ownValue(reply.data, 'message')) ?? textOf(ownValue(reply.data, 'errMsg')) ?? failText(reply)
  const requestId = textOf(ownValue(reply.data, 'trace_id')) ?? sent
  return new CloudError({ code: 'SYS_ERR', message, requestId, cause: reply.failure })
}

function wireError(data: Json, requestId: string): CloudError {
  const message = textOf(ownValue(data, 'errMsg'))
  return new CloudError({ code: codeOf(ownValue(data, 'errCode')), message, requestId })
}

function formFields(list: Json | undefined): Record<string, string> {
  const pairs = Array.isArray(list) ? list : []
  return Object.fromEntries(
    pairs.map((pair: Json) => [String(ownValue(pair, 'key')), String(ownValue(pair, 'value'))]),
  )
}
