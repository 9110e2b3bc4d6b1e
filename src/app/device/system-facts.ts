import type { JsonObject } from '../../../runtime/core/json.ts'

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['ios', /iPhone|iPad|iPod/],
  ['android', /Android/],
  ['windows', /Windows/],
  ['macos', /Macintosh/],
  ['linux', /Linux|X11/],
]
/** The first match counts: most user agents also contain the names of other browsers. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['edge', /Edg(?:e|A|iOS)?\/([\d.]+)/],
  ['firefox', /(?:Firefox|FxiOS)\/([\d.]+)/],
  ['chrome', /(?:Chrome|CriOS)\/([\d.]+)/],
  ['safari', /Version\/([\d.]+).*Safari/],
]

/** The position of the system's version. Some browsers freeze it at an old version. */
const VERSIONS: Readonly<Record<string, RegExp>> = {
  ios: /\bOS (\d+(?:[._]\d+)*) like Mac/,
  android: /Android (\d+(?:\.\d+)*)/,
  windows: /Windows NT (\d+(?:\.\d+)*)/,
  macos: /Mac OS X (\d+(?:[._]\d+)*)/,
}

/** The browser data that the facts are read from. */
export interface BrowserFacts {
  readonly userAgent: string
  /** More than one on touch screens. */
  readonly touchPoints: number
}

/** System, device type and browser in the cloud's terms (PROTOCOL 1.3, SHELL 2.2); unknown facts are absent. */
export function systemFacts({ userAgent, touchPoints }: BrowserFacts): JsonObject {
  const named = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  // An iPad claims to be a Macintosh, but no Macintosh has a touch screen.
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

/** An iPad that claims to be a Macintosh hides its own version. */
function osVersion(userAgent: string, osName: string): JsonObject {
  const version = VERSIONS[osName]?.exec(userAgent)?.[1]
  return version === undefined ? {} : { osVersion: version.replaceAll('_', '.') }
}

function deviceType(userAgent: string, osName: string | undefined): 'phone' | 'pad' | 'pc' {
  if (osName === 'ios') return /iPhone|iPod/.test(userAgent) ? 'phone' : 'pad'
  if (osName === 'android') return /Mobile/.test(userAgent) ? 'phone' : 'pad'
  return /SymbianOS|Windows Phone/.test(userAgent) ? 'phone' : 'pc'
}
