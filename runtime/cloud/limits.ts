/** Default timeout of a cloud call in milliseconds, and its allowed range, both ends included. */
export const DEFAULT_TIMEOUT_MS = 15_000
export const MIN_TIMEOUT_MS = 100
export const MAX_TIMEOUT_MS = 600_000
/** Lifetime of a temporary address, and cache time of an uploaded file, in seconds. */
export const TEMP_URL_SECONDS = 600
export const UPLOAD_CACHE_SECONDS = 2_592_000
/** Maximum number of files in one list of provider 3 (PROTOCOL 2.3). */
export const MAX_FILES = 50
/** Maximum number of parallel uploads of one choice (PROTOCOL 1.9). */
export const PARALLEL_UPLOADS = 5
/** Local debug service (PROTOCOL 2.5). */
export const PING_TIMEOUT_MS = 500
export const CHECK_TIMEOUT_MS = 3_000
