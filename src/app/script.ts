import { createBrowserScript } from '../../runtime/sandbox/browser-script.ts'
import workerUrl from '../../runtime/sandbox/browser-worker.ts?worker&url'

/** Name of the Trusted Types policy that the server's header allows. */
const POLICY = 'script-worker'

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(POLICY, {
  createScriptURL(url) {
    if (url !== workerUrl) throw new TypeError('only the script worker')
    return url
  },
})

/** The Script port. The worker, and the engine in it, are fetched when the first page with code opens. */
export const script = createBrowserScript(
  () => new Worker(policy ? policy.createScriptURL(workerUrl) : workerUrl),
)
