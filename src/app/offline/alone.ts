/** Runs `task` in one tab at a time, the others wait for it. Without Web Locks (plain HTTP) every tab runs at once. */
export async function alone(task: () => Promise<void>): Promise<void> {
  if (navigator.locks === undefined) return task()
  await navigator.locks.request('outbox', task)
}
