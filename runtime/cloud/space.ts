import type { Log } from './cloud-ports.ts'
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from './limits.ts'

interface AnySpace {
  readonly spaceId: string
  /** Default 15000; limited to 100–600000, with a warning. */
  readonly timeoutMs?: number
  /** Which applications may call which functions; keys are a name, a comma-separated list of names, or `*`. */
  readonly accessControl?: Readonly<Record<string, readonly AllowedApp[]>>
  /** Local debug service; development only. */
  readonly debug?: { readonly addresses: readonly string[]; readonly port: number }
}

interface AllowedApp {
  readonly appId: string
  readonly platform: string
}

/** Provider 1 (PROTOCOL 2.1). */
export interface AliyunSpace extends AnySpace {
  readonly provider: 'aliyun'
  readonly clientSecret: string
  readonly endpoint?: string
}

/** Provider 2 (PROTOCOL 2.2). */
export interface TencentSpace extends AnySpace {
  readonly provider: 'tencent' | 'tcb'
}

/** Provider 3 (PROTOCOL 2.3). */
export interface AlipaySpace extends AnySpace {
  readonly provider: 'alipay'
  readonly spaceAppId: string
  readonly accessKey: string
  readonly secretKey: string
  readonly endpoint?: string
}

/** Private provider (PROTOCOL 2.4). */
export interface PrivateSpace extends AnySpace {
  readonly provider: 'dcloud' | 'private'
  readonly clientSecret: string
  readonly endpoint: string
}

/** Settings of one cloud space. Its secrets are client secrets, which every client is meant to know. */
export type CloudSpace = AliyunSpace | TencentSpace | AlipaySpace | PrivateSpace

const REQUIRED: Readonly<Record<CloudSpace['provider'], readonly string[]>> = {
  aliyun: ['spaceId', 'clientSecret'],
  tencent: ['spaceId'],
  tcb: ['spaceId'],
  alipay: ['spaceId', 'spaceAppId', 'accessKey', 'secretKey'],
  dcloud: ['spaceId', 'clientSecret', 'endpoint'],
  private: ['spaceId', 'clientSecret', 'endpoint'],
}

/** Refuses invalid settings. @throws Error naming the first missing or invalid setting */
export function checkSpace(space: CloudSpace): void {
  const required = Object.hasOwn(REQUIRED, space.provider) ? REQUIRED[space.provider] : undefined
  if (!required) throw new Error(`unknown provider "${space.provider}"`)
  const settings = new Map<string, unknown>(Object.entries(space))
  for (const name of required) if (!settings.get(name)) throw new Error(`${name} required`)
  // The id becomes part of a host name.
  if (!/^[\w-]+$/.test(space.spaceId)) throw new Error('spaceId may hold letters, digits, _ and - only')
  const endpoint = settings.get('endpoint')
  if (space.provider === 'alipay' && endpoint && !/^https:\/\//.test(String(endpoint))) {
    throw new Error('endpoint must start with https://')
  }
}

/** The effective timeout, with a warning if the requested one is out of range. */
export function clampTimeout(requestedMs: number | undefined, warn: Log): number {
  if (requestedMs === undefined) return DEFAULT_TIMEOUT_MS
  const clamped = Math.min(Math.max(requestedMs, MIN_TIMEOUT_MS), MAX_TIMEOUT_MS)
  if (clamped !== requestedMs)
    warn('warn', `cloud time-out of ${requestedMs} ms is out of range, ${clamped} ms are used`)
  return Number.isNaN(clamped) ? DEFAULT_TIMEOUT_MS : clamped
}
