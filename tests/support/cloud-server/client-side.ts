import { createHmac } from 'node:crypto'
import { isObject, type Json, type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import type { Answer } from './answer.ts'
import type { CloudFunction } from './functions.ts'
import type { Seen } from './seen.ts'

/** State of `<endpoint>/client`: provider 1, and the private provider if calls have no token. */
export interface ClientState {
  readonly secret: string
  readonly needsToken: boolean
  readonly tokens: Set<string>
  issued: number
  /** Ids of files whose upload was reported. */
  readonly reported: Set<string>
  /** Signed uploads, by key. */
  readonly signed: Map<string, string>
  /** Issued with a signature; then nothing is reported. */
  callbackUrl?: string
  readonly functions: Map<string, CloudFunction>
}

/** Answers one call after checking signature and token, with node's own crypto. */
export function answerClient(seen: Seen, state: ClientState): Answer {
  const body = isObject(seen.body) ? seen.body : {}
  if (seen.headers['x-serverless-sign'] !== signatureOf(body, state.secret)) {
    return refuse(403, 'InvalidParameter.Signature', '签名错误')
  }
  const isAuthorise = body.method === 'serverless.auth.user.anonymousAuthorize'
  const token = typeof body.token === 'string' ? body.token : ''
  const known = state.tokens.has(token) && seen.headers['x-basement-token'] === token
  if (state.needsToken && !isAuthorise && !known) {
    return refuse(401, 'GATEWAY_INVALID_TOKEN', '凭证无效')
  }
  const params = JSON.parse(String(body.params)) as Json
  return answerMethod(String(body.method), isObject(params) ? params : {}, state)
}

function answerMethod(method: string, params: JsonObject, state: ClientState): Answer {
  switch (method) {
    case 'serverless.auth.user.anonymousAuthorize': {
      state.issued += 1
      const accessToken = `token-${state.issued}`
      state.tokens.add(accessToken)
      return ok({ accessToken })
    }
    case 'serverless.function.runtime.invoke': {
      const run = state.functions.get(String(params.functionTarget))
      if (!run) return refuse(200, 'FUNCTION_NOT_FOUND', 'fc_function_not_found')
      return ok(run(isObject(params.functionArgs) ? params.functionArgs : {}))
    }
    case 'serverless.file.resource.generateProximalSign':
      return state.needsToken ? signUpload(params, state) : signPrivateUpload(params, state)
    case 'serverless.file.resource.report': {
      const id = String(params.id ?? params.cloudPath)
      state.reported.add(id)
      return { data: { success: state.signed.has(id) } }
    }
    case 'serverless.file.resource.info': {
      const ids = String(params.id).split(',')
      return ok(ids.map((id) => (id.includes('plain') ? {} : { url: `${id}?auth_key=1` })))
    }
    case 'serverless.file.resource.delete':
      return ok({ fileList: Array.isArray(params.fileList) ? (params.fileList as readonly Json[]) : [] })
    case 'serverless.file.resource.getTempFileURL': {
      const list = Array.isArray(params.fileList) ? (params.fileList as readonly Json[]) : []
      return ok({ fileList: list.map((fileID) => ({ fileID, tempFileURL: `${String(fileID)}?temp=1` })) })
    }
    default:
      return refuse(400, 'METHOD_UNKNOWN', `没有方法 ${method}`)
  }
}

function signUpload(params: JsonObject, state: ClientState): Answer {
  const id = `file-${state.signed.size + 1}`
  const ossPath = `dir/${String(params.filename)}`
  state.signed.set(id, ossPath)
  return ok({
    id,
    ossPath,
    cdnDomain: 'cdn.example',
    host: 'oss.example',
    accessKeyId: 'oss-key',
    policy: 'policy-text',
    signature: 'oss-signature',
    securityToken: 'oss-token',
    ...(state.callbackUrl ? { ossCallbackUrl: state.callbackUrl } : {}),
  })
}

function signPrivateUpload(params: JsonObject, state: ClientState): Answer {
  const path = String(params.cloudPath)
  state.signed.set(path, path)
  const fileUrl = `https://files.example/${path}`
  return ok({ url: 'https://files.example/put', formData: { key: path }, name: 'upload', fileUrl })
}

function ok(data: Json): Answer {
  return { data: { success: true, header: { 'x-serverless-request-id': 'request-1' }, data } }
}

function refuse(status: number, code: string, message: string): Answer {
  return {
    status,
    data: { success: false, header: { 'x-serverless-request-id': 'request-1' }, error: { code, message } },
  }
}

function signatureOf(body: JsonObject, secret: string): string {
  const text = Object.keys(body)
    .sort()
    .filter((name) => ownValue(body, name))
    .map((name) => `${name}=${String(body[name])}`)
    .join('&')
  return createHmac('md5', secret).update(text, 'utf8').digest('hex')
}
