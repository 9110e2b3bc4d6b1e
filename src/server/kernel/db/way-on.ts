import { roomFault } from './data-folder.ts'
import { DatabaseUnavailable } from './unavailable.ts'

/**
 * Long work on the database that found no room. A full disk, and a database that ended (as PostgreSQL does when its log finds no room), are no
 * faults of the version; any statement may notice them, the last one too. @throws Error with a way on; other errors unchanged
 *
 * @param failed  what failed
 * @param again  what to do once there is room
 */
export const withWayOn =
  (failed: string, again: string) =>
  (error: unknown): never => {
    const fault = roomFault(error)
    if (fault === null && !(error instanceof DatabaseUnavailable)) throw error
    const advice = fault === null ? 'Look whether there is room' : 'Make room'
    const reason = fault ?? (error as Error).message
    throw new Error(`${failed}: ${reason}. ${advice} where the database is, then ${again}`, { cause: error })
  }
