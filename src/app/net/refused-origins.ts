import { failure } from '../../../runtime/core/errors.ts'
import { isObject, type Json } from '../../../runtime/core/json.ts'
import type { Http, Outcome } from '../../../runtime/core/ports.ts'

/** The part of a document that tells of its policy. */
export interface PolicyReports {
  addEventListener(
    type: 'securitypolicyviolation',
    listener: (event: { readonly effectiveDirective: string; readonly blockedURI: string }) => void,
  ): void
}

/**
 * Keeps calls to the origins that are allowed, and names the refusal. The operator's list (`DATA_ORIGINS`, `CLOUD_ORIGINS`) is the policy
 * of the server, which keeps a call from leaving and without this looks like a lost network; what the user's tenant has taken out of it
 * is not even tried.
 *
 * @param own  our own origin
 * @param narrowed  the origins that the tenant leaves; null when it leaves all of them
 */
export function nameRefusedOrigins(
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
    await new Promise((resolve) => setTimeout(resolve)) // the report comes beside the failure
    return refused.has(origin) ? refusal() : outcome
  }
  return {
    send: (request) => named(request.url, () => http.send(request)),
    upload: (request) => named(request.url, () => http.upload(request)),
  }
}

/** What a tenant's settings leave of the operator's origins (`data_origins`); null: all. */
export function narrowedOrigins(settings: Json | undefined): readonly string[] | null {
  const list = isObject(settings) ? settings.data_origins : undefined
  return Array.isArray(list) ? list.map(String) : null
}

/** The origin a call goes to over the network, if it is not ours. */
function otherOrigin(url: string, own: string): string | null {
  if (!URL.canParse(url, own)) return null
  const { origin, protocol } = new URL(url, own)
  return /^https?:$/.test(protocol) && origin !== own ? origin : null
}
