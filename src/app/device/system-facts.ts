import type { JsonObject } from '../../../runtime/core/json.ts'

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['ios', /iPhone|iPad|iPod/],
  ['android', /Android/],
  ['windows', /Windows/],
  ['macos', /Macintosh/],
  ['linux', /Linux|X11/],
]
/** The first that fits: most browsers carry the names of others. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['edge', /Edg(?:e|A|iOS)?\/([\d.]+)/],
  ['firefox', /(?:Firefox|FxiOS)\/([\d.]+)/],
  ['chrome', /(?:Chrome|CriOS)\/([\d.]+)/],
  ['safari', /Version\/([\d.]+).*Safari/],
]

/** Where the version of the system stands; browsers that hide it say an old one. */
const VERSIONS: Readonly<Record<string, RegExp>> = {
  ios: /\bOS (\d+(?:[._]\d+)*) like Mac/,
  android: /Android (\d+(?:\.\d+)*)/,
  windows: /Windows NT (\d+(?:\.\d+)*)/,
  macos: /Mac OS X (\d+(?:[._]\d+)*)/,
}

/** What a browser says of the machine it runs on. */
export interface BrowserFacts {
  readonly userAgent: string
  /** More than one on a machine without mouse. */
  readonly touchPoints: number
}

/** System, kind of device and browser in the names the cloud knows (PROTOCOL 1.3, SHELL 2.2); what cannot be told is left out. */
export function systemFacts({ userAgent, touchPoints }: BrowserFacts): JsonObject {
  const named = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  // A tablet of Apple calls itself a Macintosh; no Macintosh has a touch screen.
  const osName = named === 'macos' && touchPoints > 1 ? 'ios' : named
  const [browserName, pattern] = BROWSERS.find((one) => one[1].test(userAgent)) ?? []
  return {
    ua: userAgent,
    uniPlatform: 'web',
    deviceType: deviceType(userAgent, osName),
    ...(osName === undefined ? {} : { osName, ...osVersion(userAgent, osName) }),
    ...(browserName === undefined
      ? {}
      : { browserName, browserVersion: pattern?.exec(userAgent)?.[1] ?? '' }),
  }
}

/** An iPad that calls itself a Macintosh hides its own version. */
function osVersion(userAgent: string, osName: string): JsonObject {
  const version = VERSIONS[osName]?.exec(userAgent)?.[1]
  return version === undefined ? {} : { osVersion: version.replaceAll('_', '.') }
}

function deviceType(userAgent: string, osName: string | undefined): 'phone' | 'pad' | 'pc' {
  if (osName === 'ios') return /iPhone|iPod/.test(userAgent) ? 'phone' : 'pad'
  if (osName === 'android') return /Mobile/.test(userAgent) ? 'phone' : 'pad'
  return /SymbianOS|Windows Phone/.test(userAgent) ? 'phone' : 'pc'
}
