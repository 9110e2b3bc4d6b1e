import type { JsonObject } from '../core/json.ts'
import { CloudError } from './cloud-error.ts'
import { SECURE_NETWORK } from './codes.ts'
import type { CloudSpace } from './space.ts'

/** The direction that would be encrypted; the web has no secure network. */
export type SecretType = 'request' | 'response' | 'both'

/** Refuses a secure call, and a client that the space does not list (PROTOCOL 1.4). @throws CloudError 20000, 20101 */
export function checkSecureNetwork(
  space: CloudSpace,
  functionName: string,
  client: JsonObject,
  secretType?: SecretType,
): void {
  const { subject, systemError, invalidClient } = SECURE_NETWORK
  if (secretType) {
    const message = 'Platform web is not supported by secure network'
    throw new CloudError({ code: systemError.code, subject, message })
  }
  const rules = Object.entries(space.accessControl ?? {})
  const allowed =
    rules.find(([name]) => name === functionName) ??
    rules.find(([names]) => names.split(',').some((name) => name.trim() === functionName)) ??
    rules.find(([name]) => name === '*')
  const platform = String(client.uniPlatform ?? '').toLowerCase()
  const known = allowed?.[1].some(
    (app) => app.appId === client.appId && app.platform.toLowerCase() === platform,
  )
  if (allowed && !known) throw new CloudError({ ...invalidClient, subject })
}
