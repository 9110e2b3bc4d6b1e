/** Waits in milliseconds before a part of the program that could not be loaded is requested again; after the last one it is absent. */
export const RETRY_MS: readonly number[] = [300, 1_000]
