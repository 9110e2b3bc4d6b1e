import type { Text, UploadRequest } from '../core/ports.ts'
import { CloudError } from './cloud-error.ts'
import type { CloudPorts } from './cloud-ports.ts'
import { type Reply, toReply } from './exchange.ts'
import type { UploadCall } from './provider.ts'

export interface Destination {
  readonly url: string
  readonly data: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly fieldName?: string
}

/** Sends the file of an upload as multipart POST and returns any response. Progress is in bytes. */
export async function sendFile(ports: CloudPorts, call: UploadCall, to: Destination): Promise<Reply> {
  const onProgress = call.onUploadProgress
  const total = call.file.size
  const request: UploadRequest = {
    fieldName: 'file',
    ...to,
    file: call.file,
    ...(call.signal ? { signal: call.signal } : {}),
    ...(onProgress
      ? {
          onProgress: (percent: number) => onProgress({ loaded: Math.round((total * percent) / 100), total }),
        }
      : {}),
  }
  return toReply('uploadFile', await ports.http.upload(request))
}

/** The error of an upload that the storage refused or that did not arrive. */
export function uploadFailed(text: Text, reply?: Reply): CloudError {
  return new CloudError({
    code: 'UPLOAD_FAILED',
    message: text('cloud.upload-failed'),
    cause: reply?.failure,
  })
}
