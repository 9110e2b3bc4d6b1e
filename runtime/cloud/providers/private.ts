import { type Json, ownValue } from '../../core/json.ts'
import { CloudError, textOf } from '../cloud-error.ts'
import { exchange } from '../exchange.ts'
import { checkCloudPath, checkFileIds } from '../file-checks.ts'
import type { FunctionReply, Provider, ProviderTools, UploadCall, UploadReply } from '../provider.ts'
import { sendFile, uploadFailed } from '../send-file.ts'
import { signFields } from '../sign/sign-fields.ts'
import type { PrivateSpace } from '../space.ts'
import { type ClientMethod, clientBody, METHODS, readClientAnswer } from './client-call.ts'

/** The private provider: signed like provider 1, without an access token (PROTOCOL 2.4). */
export function privateProvider(space: PrivateSpace, tools: ProviderTools): Provider {
  const { ports } = tools
  const url = `${space.endpoint.replace(/\/$/, '')}/client`

  async function call(
    method: ClientMethod,
    params: Json,
    timeoutMs = tools.timeoutMs,
  ): Promise<FunctionReply> {
    const body = clientBody(method, params, space.spaceId, ports.clock.now())
    const token = await tools.loginToken()
    const headers = {
      'Content-Type': 'application/json',
      'x-serverless-sign': signFields(body, space.clientSecret),
      'x-client-info': encodeURIComponent(JSON.stringify(tools.clientInfo())),
      'x-client-token': token ?? '',
    }
    return readClientAnswer(await exchange(ports.http, { url, method: 'POST', headers, body, timeoutMs }))
  }

  async function uploadFile(upload: UploadCall): Promise<UploadReply> {
    checkCloudPath(upload.cloudPath, ports.text)
    const { cloudPath } = upload
    const { result } = await call(METHODS.sign, { cloudPath })
    const reply = await sendFile(ports, upload, {
      url: String(ownValue(result, 'url')),
      data: textFields(ownValue(result, 'formData')),
      fieldName: textOf(ownValue(result, 'name')) ?? 'file',
    })
    if (reply.status === 0 || reply.status >= 400) throw uploadFailed(ports.text, reply)
    const report = await call(METHODS.report, { cloudPath })
    if (report.success !== true) throw uploadFailed(ports.text)
    const filePath = upload.filePath ?? upload.file.name
    return { success: true, filePath, fileID: String(ownValue(result, 'fileUrl')) }
  }

  return {
    initialise: async () => undefined,
    callFunction: ({ name, data, timeoutMs }) =>
      call(METHODS.invoke, { functionTarget: name, functionArgs: data }, timeoutMs),
    uploadFile,
    async deleteFile({ fileList }) {
      const ids = checkFileIds(fileList, { emptyText: 'cloud.list-items' }, ports.text)
      const answer = await call(METHODS.remove, { fileList: ids })
      if (answer.success !== true) throw refused('DELETE_FILE_FAILED', 'cloud.delete-failed', answer)
      return { fileList: ownValue(answer.result, 'fileList') ?? answer.result, requestId: answer.requestId }
    },
    async getTempFileURL({ fileList, maxAge }) {
      const ids = checkFileIds(fileList, { emptyText: 'cloud.list-items' }, ports.text)
      const answer = await call(METHODS.tempUrl, {
        fileList: ids,
        ...(maxAge === undefined ? {} : { maxAge }),
      })
      if (answer.success !== true) throw refused('GET_TEMP_FILE_URL_FAILED', 'cloud.temp-url-failed', answer)
      const list = ownValue(answer.result, 'fileList')
      return {
        fileList: (Array.isArray(list) ? list : []).map((one: Json) => ({
          fileID: String(ownValue(one, 'fileID')),
          tempFileURL: String(ownValue(one, 'tempFileURL')),
        })),
      }
    },
  }

  function refused(code: string, key: string, answer: FunctionReply): CloudError {
    return new CloudError({ code, message: ports.text(key), requestId: answer.requestId })
  }
}

function textFields(data: Json | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(data ?? {}).map(([name, value]) => [name, String(value)]))
}
