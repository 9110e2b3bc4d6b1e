import type { Json, JsonObject } from '../core/json.ts'
import type { ClientFacts } from './cloud-ports.ts'

/** Names of the system facts that are sent (PROTOCOL 1.3). */
const SENT = new Set([
  'appId',
  'appLanguage',
  'appName',
  'appVersion',
  'appVersionCode',
  'appWgtVersion',
  'browserName',
  'browserVersion',
  'deviceBrand',
  'deviceId',
  'deviceModel',
  'deviceType',
  'osName',
  'osVersion',
  'romName',
  'romVersion',
  'ua',
  'hostName',
  'hostVersion',
  'uniPlatform',
  'uniRuntimeVersion',
  'uniRuntimeVersionCode',
  'uniCompilerVersion',
  'uniCompilerVersionCode',
])

export interface ClientInfo {
  /** The `clientInfo` of a call. */
  read(): JsonObject
  /** Additional information; the system's own facts override it. */
  setCustom(info: JsonObject): void
}

/** Facts are read once, the locale at each call. */
export function createClientInfo(facts: ClientFacts): ClientInfo {
  let custom: JsonObject = {}
  let known: Readonly<Record<string, Json>> | undefined
  return {
    setCustom(info) {
      custom = { ...info }
    },
    read() {
      known ??= factsOf(facts.system())
      const locale = facts.locale() || 'en'
      return { ...custom, ...known, locale, LOCALE: locale }
    },
  }
}

function factsOf(system: JsonObject): Readonly<Record<string, Json>> {
  const sent: Record<string, Json> = {}
  const copy = (to: string, from = to) => {
    const value = system[from]
    if (value !== undefined) sent[to] = value
  }
  copy('PLATFORM', 'uniPlatform')
  copy('OS', 'osName')
  copy('APPID', 'appId')
  copy('DEVICEID', 'deviceId')
  for (const name of ['channel', 'scene', ...Object.keys(system).filter((one) => SENT.has(one))]) copy(name)
  return sent
}
