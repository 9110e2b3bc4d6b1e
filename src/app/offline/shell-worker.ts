import { registerShellWorker } from '../script.ts'

/**
 * From now on the app's own files are kept on the device (shell-worker/worker.ts). Browsers allow that only on a secure origin
 * (https or this machine); elsewhere a page that is open goes on without network, and a new one does not open.
 */
export async function keepShell(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  await registerShellWorker().catch((cause: unknown) => console.debug('shell worker', cause))
}
