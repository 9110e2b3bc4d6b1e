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
    .then((kept) => watchNewer(kept, () => serviceWorker.controller !== null, onNewer))
    .catch((cause: unknown) => console.debug('shell worker', cause))
}

type Worker = Pick<ServiceWorker, 'state' | 'addEventListener'>
interface Kept {
  readonly installing: Worker | null
  readonly waiting: unknown
  addEventListener(type: 'updatefound', listener: () => void): void
}

/** Tells of a worker that waits for the one in use: with it came newer files. @param inUse  an older one serves this page */
export function watchNewer(kept: Kept, inUse: () => boolean, onNewer: () => void): void {
  if (kept.waiting !== null && inUse()) onNewer()
  kept.addEventListener('updatefound', () => {
    const { installing } = kept
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && inUse()) onNewer()
    })
  })
}
