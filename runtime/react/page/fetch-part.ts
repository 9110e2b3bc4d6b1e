import { RETRY_MS } from '../../core/retry.ts'

/** Loads a part of the app on demand, with two retries after network failures. Rejects if it cannot be loaded. */
export async function fetchPart<T>(load: () => Promise<T>): Promise<T> {
  for (const wait of RETRY_MS) {
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
  return load()
}
