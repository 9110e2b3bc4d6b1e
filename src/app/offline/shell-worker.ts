import { registerShellWorker } from '../device/script.ts'

/**
 * Caches the app's own files on the device (shell-worker/worker.ts). Browsers only allow this on a secure origin (https or localhost). Elsewhere an
 * open app continues without network, but cannot be started.
 * @param onNewer  a newer version than the running one has been downloaded
 */
export async function cacheShell(onNewer: () => void): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  await registerShellWorker()
    .then((registration) => watchForUpdate(registration, () => isOlder(serviceWorker), onNewer))
    .catch(quietly)
}

const quietly = (cause: unknown): void => console.debug('shell worker', cause)

/** True if the running app came from a worker and differs from the start page on the device. */
async function isOlder({ controller }: Pick<ServiceWorkerContainer, 'controller'>): Promise<boolean> {
  if (controller === null) return false
  const runningScript = document
    .querySelector<HTMLScriptElement>('script[type=module][src]')
    ?.src.split('/')
    .at(-1)
  const start = await (await caches.match('./', { cacheName: 'shell' }))?.text()
  return runningScript === undefined || start === undefined || !start.includes(runningScript)
}

type Worker = Pick<ServiceWorker, 'state' | 'addEventListener'>
interface RegisteredWorker {
  readonly installing: Worker | null
  readonly waiting: unknown
  addEventListener(type: 'updatefound', listener: () => void): void
}

/**
 * Reports a worker that waits for the current one to end: it came with newer files.
 * @param isOlder  whether the running app is not of the new version; after a reload it is, while the worker still waits
 */
export function watchForUpdate(
  registration: RegisteredWorker,
  isOlder: () => Promise<boolean>,
  onNewer: () => void,
): void {
  const check = (): void => void isOlder().then((is) => (is ? onNewer() : undefined), quietly)
  if (registration.waiting !== null) check()
  registration.addEventListener('updatefound', () => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') check()
    })
  })
}
