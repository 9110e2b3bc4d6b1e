import { failure } from '../../runtime/core/errors.ts'
import type { Http, Outcome } from '../../runtime/core/ports.ts'

/** The part of a document that tells of its policy. */
export interface PolicyReports {
  addEventListener(
    type: 'securitypolicyviolation',
    listener: (event: { readonly effectiveDirective: string; readonly blockedURI: string }) => void,
  ): void
}

/**
 * Names the refusal of a call to an origin that the operator has not allowed (`CLOUD_ORIGINS`): the policy of the server keeps it from
 * leaving, which without this looks like a lost network.
 */
export function nameRefusedOrigins(http: Http, document: PolicyReports): Http {
  const refused = new Set<string>()
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    if (effectiveDirective === 'connect-src' && URL.canParse(blockedURI))
      refused.add(new URL(blockedURI).origin)
  })
  const named = async <T>(url: string, call: () => Promise<Outcome<T>>): Promise<Outcome<T>> => {
    const isRefused = () => URL.canParse(url) && refused.has(new URL(url).origin)
    const refusal = (): Outcome<T> => ({
      ok: false,
      error: failure('DATA_SOURCE_ORIGIN', { url }, { data: new URL(url).origin }),
    })
    if (isRefused()) return refusal()
    const outcome = await call()
    if (outcome.ok || !URL.canParse(url)) return outcome
    await new Promise((resolve) => setTimeout(resolve)) // the report comes beside the failure
    return isRefused() ? refusal() : outcome
  }
  return {
    send: (request) => named(request.url, () => http.send(request)),
    upload: (request) => named(request.url, () => http.upload(request)),
  }
}
