import { registerShellWorker } from '../device/script.ts'

/**
 * From now on the app's own files are kept on the device (shell-worker/worker.ts). Browsers allow that only on a secure origin
 * (https or this machine); elsewhere a page that is open goes on without network, and a new one does not open.
 * @param onNewer  a newer version than the one that is open is on the device
 */
export async function keepShell(onNewer: () => void): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  await registerShellWorker()
    .then((kept) => watchNewer(kept, () => isOlder(serviceWorker), onNewer))
    .catch(quietly)
}

/** Asks the server for another version: a browser does so by itself only when the app is opened, and apps stay open for days. */
export async function lookForNewer(): Promise<void> {
  await navigator.serviceWorker
    ?.getRegistration()
    .then((kept) => kept?.update())
    .catch(quietly)
}

const quietly = (cause: unknown): void => console.debug('shell worker', cause)

/** What is open was served by a worker, and is not what the start page on the device begins. */
async function isOlder({ controller }: Pick<ServiceWorkerContainer, 'controller'>): Promise<boolean> {
  if (controller === null) return false
  const begun = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src.split('/').at(-1)
  const start = await (await caches.match('./', { cacheName: 'shell' }))?.text()
  return begun === undefined || start === undefined || !start.includes(begun)
}

type Worker = Pick<ServiceWorker, 'state' | 'addEventListener'>
interface Kept {
  readonly installing: Worker | null
  readonly waiting: unknown
  addEventListener(type: 'updatefound', listener: () => void): void
}

/**
 * Tells of a worker that waits for the one in use: with it came newer files.
 * @param isOlder  what is open is not of those: after a reload it is, while the worker still waits
 */
export function watchNewer(kept: Kept, isOlder: () => Promise<boolean>, onNewer: () => void): void {
  const look = (): void => void isOlder().then((is) => (is ? onNewer() : undefined), quietly)
  if (kept.waiting !== null) look()
  kept.addEventListener('updatefound', () => {
    const { installing } = kept
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') look()
    })
  })
}
