import { AsyncResource } from 'node:async_hooks'
import type { Database } from '../../kernel/db/database.ts'
import { PUSH_CHANNEL } from '../../kernel/notices/push-later.ts'
import type { Pusher } from './pusher.ts'

interface PushingParts {
  readonly pusher: Pusher
  readonly database: Database
  readonly onError: (error: unknown) => void
}

/** Interval for retries, and for messages whose notification was lost. */
const POLL_INTERVAL_MS = 15_000

/** Sends as soon as something is queued, one run at a time. @returns stops after the running work */
export async function startPushing({
  pusher,
  database,
  onError,
}: PushingParts): Promise<() => Promise<void>> {
  let underWay: Promise<unknown> | null = null
  let isWanted = false
  let isStopped = false
  const look = (): void => {
    if (isStopped) return
    isWanted = true
    underWay ??= work().finally(() => {
      underWay = null
    })
  }
  const work = async (): Promise<void> => {
    while (isWanted && !isStopped) {
      isWanted = false
      await database.patiently(() => pusher.run()).catch(onError)
    }
  }
  // The embedded database calls this from within the notifying transaction; what follows must not run inside it.
  const stopListening = await database.listen(PUSH_CHANNEL, AsyncResource.bind(look), look)
  const timer = setInterval(look, POLL_INTERVAL_MS)
  look()
  return async () => {
    isStopped = true
    clearInterval(timer)
    await stopListening()
    await underWay
  }
}
