import { rm } from 'node:fs/promises'

/** Removes the data folder of a server that was ended or killed: its database may still be ending, and write while the folder is emptied. */
export const removeData = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
