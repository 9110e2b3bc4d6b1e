import { failure } from '../../../runtime/core/errors.ts'
import { isObject, type Json } from '../../../runtime/core/json.ts'
import type { Http, Outcome } from '../../../runtime/core/ports.ts'

/** The events of a document that report violations of its policy. */
export interface PolicyReports {
  addEventListener(
    type: 'securitypolicyviolation',
    listener: (event: { readonly effectiveDirective: string; readonly blockedURI: string }) => void,
  ): void
}

/**
 * Lets calls go only to allowed origins, and names a refused one. The operator's list (`DATA_ORIGINS`, `CLOUD_ORIGINS`) is part of the server's
 * content security policy; a call that it blocks would look like a lost network. An origin that the user's tenant has excluded is not called at all.
 *
 * @param own  our own origin
 * @param narrowed  the origins that the tenant allows; null for all of them
 */
export function reportRefusedOrigins(
  http: Http,
  document: PolicyReports,
  { own, narrowed }: { readonly own: string; readonly narrowed: () => readonly string[] | null },
): Http {
  const refused = new Set<string>()
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    if (effectiveDirective === 'connect-src' && URL.canParse(blockedURI))
      refused.add(new URL(blockedURI).origin)
  })
  async function named<T>(url: string, call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const origin = otherOrigin(url, own)
    if (origin === null) return call()
    const refusal = (): Outcome<T> => ({
      ok: false,
      error: failure('DATA_SOURCE_ORIGIN', { url }, { data: origin }),
    })
    if (refused.has(origin) || narrowed()?.includes(origin) === false) return refusal()
    const outcome = await call()
    if (outcome.ok) return outcome
    await new Promise((resolve) => setTimeout(resolve)) // the report arrives after the failure
    return refused.has(origin) ? refusal() : outcome
  }
  return {
    send: (request) => named(request.url, () => http.send(request)),
    upload: (request) => named(request.url, () => http.upload(request)),
  }
}

/** The operator's origins that a tenant's settings allow (`data_origins`); null: all. */
export function tenantOrigins(settings: Json | undefined): readonly string[] | null {
  const list = isObject(settings) ? settings.data_origins : undefined
  return Array.isArray(list) ? list.map(String) : null
}

/** The origin of a network call if it is not our own. */
function otherOrigin(url: string, own: string): string | null {
  if (!URL.canParse(url, own)) return null
  const { origin, protocol } = new URL(url, own)
  return /^https?:$/.test(protocol) && origin !== own ? origin : null
}
