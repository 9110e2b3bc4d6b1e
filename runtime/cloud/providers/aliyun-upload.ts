import { type Json, type JsonObject, ownValue } from '../../core/json.ts'
import { encodeBase64 } from '../base64.ts'
import type { CloudPorts } from '../cloud-ports.ts'
import { checkCloudPath, checkRealPath } from '../file-checks.ts'
import { UPLOAD_CACHE_SECONDS } from '../limits.ts'
import type { UploadCall, UploadReply } from '../provider.ts'
import { sendFile, uploadFailed } from '../send-file.ts'
import type { AliyunSpace } from '../space.ts'
import type { TokenCalls } from './aliyun-token.ts'
import { METHODS } from './client-call.ts'

/** Sign → send → report; if there is a callback address, the storage reports by itself (PROTOCOL 2.1, Upload). */
export async function uploadToAliyun(
  calls: TokenCalls,
  space: AliyunSpace,
  ports: CloudPorts,
  call: UploadCall,
): Promise<UploadReply> {
  const { text } = ports
  const signed = (await calls.call({ method: METHODS.sign, params: signParams(call, ports) })).result
  const field = (name: string) => String(ownValue(signed, name) ?? '')
  const reply = await sendFile(ports, call, {
    url: `https://${field('host')}`,
    data: formFields(signed, space.spaceId),
    // Misspelt in the protocol.
    headers: { 'X-OSS-server-side-encrpytion': 'AES256' },
  })
  if (reply.status === 0 || reply.status >= 400) throw uploadFailed(text, reply)
  if (field('ossCallbackUrl') === '') {
    const report = await calls.call({ method: METHODS.report, params: { id: field('id') } })
    if (report.success !== true) throw uploadFailed(text)
  }
  return {
    success: true,
    filePath: call.filePath ?? call.file.name,
    fileID: `https://${field('cdnDomain')}/${field('ossPath')}`,
  }
}

function signParams(call: UploadCall, { text }: CloudPorts): JsonObject {
  const path = checkCloudPath(call.cloudPath, text)
  if (!call.cloudPathAsRealPath) return { env: 'public', filename: path }
  const fileId = checkRealPath(path, text)
  return { env: 'public', filename: fileId.slice(fileId.lastIndexOf('/') + 1), fileId }
}

function formFields(signed: Json, spaceId: string): Record<string, string> {
  const field = (name: string) => String(ownValue(signed, name) ?? '')
  const fields: Record<string, string> = {
    'Cache-Control': `max-age=${UPLOAD_CACHE_SECONDS}`,
    'Content-Disposition': 'attachment',
    OSSAccessKeyId: field('accessKeyId'),
    Signature: field('signature'),
    host: field('host'),
    id: field('id'),
    key: field('ossPath'),
    policy: field('policy'),
    success_action_status: '200',
  }
  if (field('securityToken') !== '') fields['x-oss-security-token'] = field('securityToken')
  if (field('ossCallbackUrl') !== '') {
    const callbackBody = JSON.stringify({ fileId: field('id'), spaceId })
    const callback = {
      callbackUrl: field('ossCallbackUrl'),
      callbackBody,
      callbackBodyType: 'application/json',
    }
    fields.callback = encodeBase64(JSON.stringify(callback))
  }
  return fields
}
