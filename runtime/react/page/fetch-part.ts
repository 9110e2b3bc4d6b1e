/** Waits before a part is asked for again. */
const WAITS_MS = [300, 1_000]

/** Fetches a part of the app that is loaded on demand; on a network that lost it, twice more. Rejects when it does not come. */
export async function fetchPart<T>(load: () => Promise<T>): Promise<T> {
  for (const wait of WAITS_MS) {
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
  return load()
}
