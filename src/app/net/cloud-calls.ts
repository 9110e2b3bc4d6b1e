import { createText } from '../../../runtime/browser/catalogue-text.ts'
import {
  type Cloud,
  type CloudPorts,
  type CloudSpace,
  cloudPathOf,
  createCloud,
  createTempAddresses,
  type LoginGuardPorts,
  type ObjectOptions,
  parseCloudUrl,
  runCloudUrl,
} from '../../../runtime/cloud/index.ts'
import { failure } from '../../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../../../runtime/core/json.ts'
import type {
  Clock,
  HttpRequest,
  HttpResponse,
  Outcome,
  Random,
  Text,
  UploadRequest,
} from '../../../runtime/core/ports.ts'
import ownTexts from '../../../schemas/text/zh-hans.cloud.json'
import { type BrowserFacts, systemFacts } from '../device/system-facts.ts'
import type { CloudCalls } from './cloud-link.ts'

interface AppFacts {
  readonly appId: string
  readonly appName: string
  readonly appVersion: string
  /** An integer as text that grows with each version. */
  readonly appVersionCode: string
  readonly deviceId: string
}

export interface CloudCallsOptions {
  readonly ports: CloudPorts
  /** Cloud spaces from the server; without any, every call is refused with a text that says so. */
  readonly spaces: readonly CloudSpace[]
  readonly app: AppFacts
  readonly browser: BrowserFacts
  readonly locale: () => string
  readonly loginPage: string
  readonly guard: LoginGuardPorts
}

/** The spaces in the app's settings (`/mini/app/config`). @throws Error if they could not be read */
export function readSpaces(answer: Outcome<HttpResponse>): readonly CloudSpace[] {
  if (!answer.ok) throw new Error(answer.error.message)
  const spaces = valueAt(answer.value.data, 'data.cloud.spaces')
  return Array.isArray(spaces) ? (spaces as unknown as readonly CloudSpace[]) : []
}

/** Sends `cloud:` addresses through the cloud client. A code about the token in an answer opens login (PROTOCOL 1.5). */
export function createCloudCalls(options: CloudCallsOptions): CloudCalls {
  const { spaces, app, browser, locale } = options
  const ports = { ...options.ports, text: withOwnTexts(options.ports.text) }
  const client = {
    system: () => ({ ...app, appLanguage: locale(), ...systemFacts(browser) }),
    locale,
  }
  const cloud = spaces.length === 0 ? undefined : createCloud({ spaces, ports, client })
  cloud?.guardLogin({ loginPage: options.loginPage }, { ...options.guard, text: ports.text })
  const refused: Outcome<never> = {
    ok: false,
    error: failure('REFUSED', {}, { message: ports.text('cloud.not-configured') }),
  }
  const addresses =
    cloud &&
    createTempAddresses({ cloud, spaceIds: spaces.map((space) => space.spaceId), clock: ports.clock })
  const uniquePath = countPaths(ports)
  return {
    async call(request) {
      if (!cloud) return refused
      const { address, data } = readRequest(request)
      const { ui, ...rest } = data
      const uiOptions = parseCloudUrl(address)?.kind === 'object' ? uiOptionsOf(ui) : undefined
      const outcome = await (uiOptions
        ? runCloudUrl(cloud, address, rest, uiOptions)
        : runCloudUrl(cloud, address, data))
      return outcome.ok ? answered(outcome.value) : outcome
    },
    upload: async (request) =>
      cloud ? uploadTo(cloud, request, uniquePath(request.file.name), ports.text) : refused,
    known: (fileID) => addresses?.known(fileID),
    find: async (fileID) => addresses?.find(fileID) ?? null,
    async forgetLogin() {
      addresses?.clear()
      await cloud?.forgetLogin()
    },
  }
}

/** The cloud's texts of the base language are part of its chunk; other languages contain them already. */
function withOwnTexts(text: Text): Text {
  const baseText = createText(ownTexts)
  return (code, params) => {
    const translated = text(code, params)
    return translated === code ? baseText(code, params) : translated
  }
}

/** `ui=modal`, `modal-retry` or `toast`: the library shows a loading, and its error in that form. */
function uiOptionsOf(ui: Json | undefined): ObjectOptions | undefined {
  if (ui === 'toast') return { errorOptions: { type: 'toast' } }
  return ui === 'modal' || ui === 'modal-retry'
    ? { errorOptions: { type: 'modal', retry: ui === 'modal-retry' } }
    : undefined
}

/** The arguments: those of the query, then those of the body. */
function readRequest({ url, body }: HttpRequest): { readonly address: string; readonly data: JsonObject } {
  const [address = '', query = ''] = url.split('?')
  return {
    address,
    data: { ...Object.fromEntries(new URLSearchParams(query)), ...(isObject(body) ? body : {}) },
  }
}

/**
 * Creates unique paths within the space: files chosen together have the same millisecond, other users may upload at the same time, and the storage
 * silently overwrites an existing path.
 */
function countPaths({
  clock,
  random,
}: {
  readonly clock: Clock
  readonly random: Random
}): (name: string) => string {
  const device = random.uuid().slice(-12)
  let sent = 0
  return (name) => cloudPathOf(name, clock.now(), `${sent++}_${device}`)
}

async function uploadTo(
  cloud: Cloud,
  { url, file, signal, onProgress }: UploadRequest,
  cloudPath: string,
  text: Text,
): Promise<Outcome<HttpResponse>> {
  const target = parseCloudUrl(url)
  if (target?.kind !== 'upload') {
    return { ok: false, error: failure('REFUSED', {}, { message: text('cloud.path-invalid') }) }
  }
  const client = target.space === undefined ? cloud : cloud.space(target.space)
  try {
    const { fileID } = await client.uploadFile({
      file,
      cloudPath,
      ...(signal ? { signal } : {}),
      ...(onProgress ? { onUploadProgress: ({ loaded, total }) => onProgress((loaded / total) * 100) } : {}),
    })
    // The record stores the id itself, since the addresses that a storage returns expire within minutes.
    return answered({ name: file.name, fileID, url: fileID })
  } catch (cause) {
    return { ok: false, error: failure('NETWORK', {}, { message: text('cloud.upload-failed'), cause }) }
  }
}

function answered(data: Json): Outcome<HttpResponse> {
  return { ok: true, value: { status: 200, headers: {}, data } }
}
