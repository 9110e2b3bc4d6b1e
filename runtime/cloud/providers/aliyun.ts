import { ownValue } from '../../core/json.ts'
import { textOf } from '../cloud-error.ts'
import { checkFileIds } from '../file-checks.ts'
import type { Provider, ProviderTools } from '../provider.ts'
import type { AliyunSpace } from '../space.ts'
import { createTokenCalls } from './aliyun-token.ts'
import { uploadToAliyun } from './aliyun-upload.ts'
import { METHODS } from './client-call.ts'

/** Provider 1 (PROTOCOL 2.1). Clients cannot delete files. */
export function aliyunProvider(space: AliyunSpace, tools: ProviderTools): Provider {
  const calls = createTokenCalls(space, tools)

  async function getFileInfo({ fileList }: { readonly fileList: readonly unknown[] }) {
    const ids = checkFileIds(fileList, { emptyText: 'cloud.list-items' }, tools.ports.text)
    const id = ids.map((one) => one.split('?')[0]).join(',')
    const answer = await calls.call({ method: METHODS.info, params: { id } })
    return { fileList: answer.result, requestId: answer.requestId }
  }

  return {
    initialise: calls.authorise,
    callFunction: ({ name, data, timeoutMs, signal }) =>
      calls.call({
        method: METHODS.invoke,
        params: { functionTarget: name, functionArgs: data },
        timeoutMs,
        ...(signal ? { signal } : {}),
      }),
    uploadFile: (call) => uploadToAliyun(calls, space, tools.ports, call),
    getFileInfo,
    async getTempFileURL({ fileList }) {
      const info = await getFileInfo({ fileList })
      const ids = fileList.filter((one) => typeof one === 'string')
      return {
        fileList: ids.map((fileID, at) => ({
          fileID,
          tempFileURL: textOf(ownValue(ownValue(info.fileList, String(at)), 'url')) ?? fileID,
        })),
      }
    },
  }
}
