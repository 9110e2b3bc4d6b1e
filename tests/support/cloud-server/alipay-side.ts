import { createHash, createHmac } from 'node:crypto'
import { isObject, type Json, ownValue } from '../../../runtime/core/json.ts'
import type { Answer } from './answer.ts'
import type { CloudFunction } from './functions.ts'
import type { Seen } from './seen.ts'

/** State of provider 3. */
export interface AlipayState {
  readonly accessKey: string
  readonly secretKey: string
  readonly functions: Map<string, CloudFunction>
}

/** Answers one request after checking its signature with node's own crypto. */
export function answerAlipay(seen: Seen, state: AlipayState): Answer {
  if (seen.headers.authorization !== authorisationOf(seen, state)) {
    return { status: 403, data: { errCode: 'INVALID_SIGNATURE', errMsg: '签名错误', trace_id: 'trace-1' } }
  }
  if (seen.path === '/functions/invokeFunction') return answerFunction(seen, state)
  if (seen.query === 'post_url') {
    const file_id = `cloud://env-1${seen.path}`
    const form_data = [
      { key: 'key', value: seen.path },
      { key: 'policy', value: 'policy-text' },
    ]
    return {
      data: { success: true, data: { file_id, upload_url: 'https://alipay-oss.example/put', form_data } },
    }
  }
  if (seen.query === 'download_url') {
    const list = ownValue(seen.body, 'file_list')
    const file_list = (Array.isArray(list) ? list : []).map((one: Json) => {
      const file_id = String(ownValue(one, 'file_id'))
      return {
        file_id,
        download_url: `https://alipay-oss.example/${file_id}?expire=${String(ownValue(one, 'expire'))}`,
      }
    })
    return { data: { success: true, data: { file_list } } }
  }
  return { status: 404, data: { errMsg: 'not found' } }
}

function answerFunction(seen: Seen, state: AlipayState): Answer {
  const name = seen.headers['x-to-function-name'] ?? ''
  const run = state.functions.get(name)
  if (!run) return { status: 404, data: { message: `FUNCTION_NOT_FOUND ${name}`, trace_id: 'trace-1' } }
  if (seen.headers['x-function-invoke-type'] === 'async')
    return { data: { errCode: '200', data: { accepted: true } } }
  return { data: run(isObject(seen.body) ? seen.body : {}) }
}

function authorisationOf(seen: Seen, state: AlipayState): string {
  const names = /SignedHeaders=([^,]*)/.exec(seen.headers.authorization ?? '')?.[1] ?? ''
  const lines = names.split(';').map((name) => `${name}:${seen.headers[name] ?? ''}\n`)
  const sha = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
  const canonical = `${seen.method}\n${seen.path}\n${seen.query}\n${lines.join('')}\n${names}\n${sha(seen.raw)}\n`
  const text = `HMAC-SHA256\n${seen.headers['x-client-timestamp']}\n${sha(canonical)}\n`
  const signature = createHmac('sha256', state.secretKey).update(text).digest('hex')
  return `HMAC-SHA256 Credential=${state.accessKey}, SignedHeaders=${names}, Signature=${signature}`
}
