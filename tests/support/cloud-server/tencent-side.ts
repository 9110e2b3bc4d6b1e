import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Answer } from './answer.ts'
import type { CloudFunction } from './functions.ts'
import type { Seen } from './seen.ts'

/** State of provider 2. */
export interface TencentState {
  readonly tokens: Set<string>
  issued: number
  /** Code of the next answer to a call with an unknown token. */
  staleCode: 'ACCESS_TOKEN_EXPIRED' | 'ACCESS_TOKEN_DISABLED'
  /** Codes answered to refreshes by refresh token, one after the other. */
  readonly refreshCodes: string[]
  readonly functions: Map<string, CloudFunction>
}

const SIGN_IN = new Set([
  'auth.signInWithTicket',
  'auth.signInAnonymously',
  'auth.fetchAccessTokenWithRefreshToken',
  'auth.logout',
])

/** `/auth/v1/…`: anonymous sign-in, and the current user. */
export function answerAuth(seen: Seen, state: TencentState): Answer {
  const device = seen.headers['x-device-id'] ?? ''
  if (
    device.length < 16 ||
    device.length > 48 ||
    !/^[A-Za-z0-9]{32}$/.test(seen.headers['x-request-id'] ?? '')
  ) {
    return { status: 400, data: { error: 'invalid_argument', error_description: '请求头错误' } }
  }
  if (seen.path === '/auth/v1/signin/anonymously' && seen.method === 'POST') {
    return { data: { token_type: 'Bearer', access_token: issue(state), expires_in: 7200 } }
  }
  const token = (seen.headers.authorization ?? '').replace('Bearer ', '')
  if (seen.path === '/auth/v1/user/me' && state.tokens.has(token)) return { data: { sub: 'anonymous-1' } }
  return { status: 401, data: { error: 'unauthenticated', error_description: '凭证无效' } }
}

/** `/web`: one action per call. */
export function answerWeb(seen: Seen, state: TencentState): Answer {
  const body = isObject(seen.body) ? seen.body : {}
  const requestId = 'request-2'
  const refuse = (code: string, message: string): Answer => ({ data: { code, message, requestId } })
  if (
    body.dataVersion !== '2019-08-16' ||
    body.seqId !== seen.headers['x-seqid'] ||
    !seen.headers['x-sdk-version']
  ) {
    return refuse('INVALID_PARAM', '请求格式错误')
  }
  const action = String(body.action)
  if (!SIGN_IN.has(action) && !state.tokens.has(String(body.access_token))) {
    return refuse(state.staleCode, '凭证已过期')
  }
  const answer = answerAction(action, body, state, new URLSearchParams(seen.query).get('parse') === 'true')
  const headers = { 'x-tcb-trace': 'trace-1' }
  return { headers, data: { requestId, ...answer } }
}

function answerAction(action: string, body: JsonObject, state: TencentState, parse: boolean): JsonObject {
  switch (action) {
    case 'functions.invokeFunction': {
      const run = state.functions.get(String(body.function_name))
      if (!run) return { code: 'FUNCTION_NOT_FOUND', message: 'FUNCTION_NOT_FOUND' }
      const args = JSON.parse(String(body.request_data)) as Json
      const result = run(isObject(args) ? args : {})
      return { data: { response_data: parse ? result : JSON.stringify(result) } }
    }
    case 'storage.getUploadMetadata': {
      const fileId = `cloud://env-1/${String(body.path)}`
      const url = 'https://cos.example/put'
      return {
        data: { url, authorization: 'cos-signature', token: 'cos-token', fileId, cosFileId: 'cos-file-1' },
      }
    }
    case 'storage.batchDeleteFile':
      return { data: { delete_list: ids(body.fileid_list).map((fileID) => ({ fileID, code: 'SUCCESS' })) } }
    case 'storage.batchGetDownloadUrl':
      return { data: { download_list: downloads(body.file_list) } }
    case 'auth.fetchAccessTokenWithRefreshToken': {
      const code = state.refreshCodes.shift()
      if (code) return { code, message: code }
      return { access_token: issue(state), access_token_expire: 7_200_000 }
    }
    case 'auth.signInAnonymously':
    case 'auth.signInWithTicket':
      return { refresh_token: `refresh-${state.issued + 1}` }
    case 'auth.logout':
      return {}
    default:
      return { code: 'ACTION_UNKNOWN', message: action }
  }
}

function issue(state: TencentState): string {
  state.issued += 1
  const token = `token-${state.issued}`
  state.tokens.add(token)
  return token
}

function ids(list: Json | undefined): readonly Json[] {
  return Array.isArray(list) ? list : []
}

function downloads(list: Json | undefined): readonly Json[] {
  return ids(list).map((one) => {
    const fileid = isObject(one) ? String(one.fileid) : ''
    return { fileid, download_url: `https://cos.example/${fileid.slice(8)}?sign=1`, code: 'SUCCESS' }
  })
}
