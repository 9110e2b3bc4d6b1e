/** The object storage cannot do this now. Asked again later, it may. */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the object storage is not available: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
    this.name = 'StorageUnavailable'
  }
}
