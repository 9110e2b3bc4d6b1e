/** Runs `task` in one tab at a time; other tabs wait. Without Web Locks (plain HTTP) all tabs run at once. */
export async function inOneTab(task: () => Promise<void>): Promise<void> {
  if (navigator.locks === undefined) return task()
  await navigator.locks.request('outbox', task)
}
