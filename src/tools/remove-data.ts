import { rm } from 'node:fs/promises'

/** Removes the data folder of a server that was stopped or killed. Its database may still be exiting, and write while the folder is being emptied. */
export const removeData = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
