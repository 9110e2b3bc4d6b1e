import { type Json, type JsonObject, ownValue } from '../core/json.ts'
import type { CallFunction } from './call-function.ts'
import { type CloudEvents, copyJson } from './call-life.ts'
import { CloudError, codeOf, textOf, toCloudError } from './cloud-error.ts'
import type { CloudPorts } from './cloud-ports.ts'
import type { Interceptors } from './interceptors.ts'
import type { Listeners } from './listeners.ts'
import type { SavedToken } from './saved-token.ts'
import type { SecretType } from './secure-network.ts'

/** The user interface of calls of a cloud object (PROTOCOL 1.6). */
export interface ObjectOptions {
  /** Default false; true: neither loading nor error is shown. */
  readonly customUI?: boolean
  /** Default title 加载中...; the loading always covers the page. */
  readonly loadingOptions?: { readonly title?: string; readonly mask?: boolean }
  /** Default a modal without retry. */
  readonly errorOptions?: { readonly type?: 'modal' | 'toast'; readonly retry?: boolean }
  /** Called only for transport failures; may return another text. */
  readonly parseSystemError?: (
    error: SystemError,
  ) => { readonly errMsg?: string } | Promise<{ readonly errMsg?: string }>
  /** By method name, or `*`. */
  readonly secretMethods?: Readonly<Record<string, SecretType>>
}

export interface SystemError {
  readonly objectName: string
  readonly methodName: string
  readonly params: readonly unknown[]
  readonly errSubject: string | undefined
  readonly errCode: string | number
  readonly errMsg: string
}

export interface ObjectCall {
  readonly objectName: string
  readonly methodName: string
  readonly params: readonly unknown[]
}

/** Methods by name; each returns the method's result, or rejects with a CloudError that has the result as `detail`. */
export type CloudObject = Readonly<Record<string, (...params: readonly unknown[]) => Promise<Json>>>

export interface ObjectTools {
  readonly ports: CloudPorts
  readonly callFunction: CallFunction
  readonly savedToken: SavedToken
  readonly events: Listeners<CloudEvents>
  readonly interceptors: Interceptors
}

interface Attempt {
  readonly result: Json
  /** Set if the call failed, not the method. */
  readonly failure?: CloudError
  readonly requestId?: string | undefined
}

/** One call of a method, with loading, error and retry (PROTOCOL 1.6). */
export async function callObject(
  tools: ObjectTools,
  call: ObjectCall,
  options: ObjectOptions,
): Promise<Json> {
  const { interceptors } = tools
  const args = { ...call }
  try {
    await interceptors.run('callObject', 'invoke', args)
    const result = await attempt(tools, args, options)
    await interceptors.run('callObject', 'success', { ...args, result })
    await interceptors.run('callObject', 'complete', { ...args, result })
    return result
  } catch (thrown) {
    const error = toCloudError(thrown)
    await interceptors.run('callObject', 'fail', { ...args, error })
    await interceptors.run('callObject', 'complete', { ...args, error })
    throw error
  }
}

async function attempt(tools: ObjectTools, call: ObjectCall, options: ObjectOptions): Promise<Json> {
  const { result, failure, requestId } = await send(tools, call, options)
  const renewed = await tools.savedToken.take(ownValue(result, 'newToken'))
  if (renewed) tools.events.fire('refreshToken', renewed)
  const code = failure?.errCode ?? codeOf(ownValue(result, 'errCode'))
  if (code === undefined) {
    tools.events.fire('response', { type: 'cloudobject', content: result })
    return result
  }
  const subject = failure?.errSubject ?? textOf(ownValue(result, 'errSubject'))
  const message = failure?.message ?? textOf(ownValue(result, 'errMsg'))
  const error = new CloudError({ code, subject, message, requestId, detail: result, cause: failure })
  const words = failure ? await wordsOf(call, error, options) : error.errMsg
  if (!options.customUI && (await showError(tools.ports, words, options)))
    return attempt(tools, call, options)
  tools.events.fire('response', { type: 'cloudobject', content: error })
  throw error
}

async function send(tools: ObjectTools, call: ObjectCall, options: ObjectOptions): Promise<Attempt> {
  const { objectName, methodName, params } = call
  const { feedback, text } = tools.ports
  const title = options.loadingOptions?.title ?? text('cloud.object-loading')
  const hide = options.customUI ? undefined : feedback.loading(title)
  try {
    const data: JsonObject = { method: methodName, params: copyJson(params) }
    const secretType = options.secretMethods?.[methodName] ?? options.secretMethods?.['*']
    const reply = await tools.callFunction({ name: objectName, data, secretType })
    return { result: reply.result, requestId: reply.requestId }
  } catch (thrown) {
    const failure = toCloudError(thrown)
    return { result: { ...failure.toJSON(), errMsg: failure.message }, failure, requestId: failure.requestId }
  } finally {
    hide?.()
  }
}

async function wordsOf(call: ObjectCall, error: CloudError, options: ObjectOptions): Promise<string> {
  const { errSubject, errCode, errMsg } = error
  const parsed = await options.parseSystemError?.({ ...call, errSubject, errCode, errMsg })
  return parsed?.errMsg || errMsg
}

/** True if the user wants to repeat the call. */
async function showError(ports: CloudPorts, words: string, options: ObjectOptions): Promise<boolean> {
  const { feedback, text } = ports
  const { type = 'modal', retry = false } = options.errorOptions ?? {}
  if (type === 'toast') {
    feedback.toast({ text: words, icon: 'none' })
    return false
  }
  if (type !== 'modal') throw new Error(`Invalid errorOptions.type: ${String(type)}`)
  const { confirm } = await feedback.modal({
    title: text('cloud.object-title'),
    content: words,
    showCancel: retry,
    cancelText: text('cloud.object-cancel'),
    confirmText: text(retry ? 'cloud.object-retry' : 'cloud.object-confirm'),
  })
  return retry && confirm
}

/** An object whose methods are cloud calls; a method that does not exist in the cloud fails when called. */
export function importObject(tools: ObjectTools, objectName: string, options: ObjectOptions): CloudObject {
  const target: Record<string, (...params: readonly unknown[]) => Promise<Json>> = {}
  return new Proxy(target, {
    get(_, name) {
      if (name === 'toString') return () => '[object UniCloudObject]'
      // Neither awaiting nor printing the object may cause a call.
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined
      return (...params: readonly unknown[]) =>
        callObject(tools, { objectName, methodName: name, params }, options)
    },
  })
}
