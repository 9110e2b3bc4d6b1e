import workerUrl from '../../../runtime/sandbox/browser-worker.ts?worker&url'
import { fetchedScript } from '../../../runtime/sandbox/fetched-script.ts'

/** Name of the Trusted Types policy that the server's header allows. */
const POLICY = 'script-worker'
const SHELL_WORKER = './shell-worker.js'

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(POLICY, {
  createScriptURL(url) {
    if (url !== workerUrl && url !== SHELL_WORKER) throw new TypeError('only the workers of the product')
    return url
  },
})

/** Registers the worker that caches the shell's files (offline/shell-worker.ts). */
export function registerShellWorker(): Promise<ServiceWorkerRegistration> {
  const url = policy ? policy.createScriptURL(SHELL_WORKER) : SHELL_WORKER
  return navigator.serviceWorker.register(url)
}

/** Checks for a new version: browsers only do so when the app is opened, and apps stay open for days. */
export async function checkForUpdate(): Promise<void> {
  await navigator.serviceWorker
    ?.getRegistration()
    .then((registration) => registration?.update())
    .catch((cause: unknown) => console.debug('shell worker', cause))
}

const createWorker = () => new Worker(policy ? policy.createScriptURL(workerUrl) : workerUrl)

/** The Script port. It and the worker with its engine are loaded when the first page with code opens. */
export const script = fetchedScript(async () => {
  const { createBrowserScript } = await import('../../../runtime/sandbox/browser-script.ts')
  return createBrowserScript(createWorker)
})
