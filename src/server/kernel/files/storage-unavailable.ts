/** The object storage cannot do this now. A retry may succeed. */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the object storage is not available: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
    this.name = 'StorageUnavailable'
  }
}
