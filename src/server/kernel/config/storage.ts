/** Object storage, from `STORAGE_URL`. */
export interface StoragePlace {
  /** Prefix of all objects: `https://host/bucket/prefix`, or with the bucket in the host name. Without a trailing slash. */
  readonly base: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

const LOOKS = 'https://KEY:SECRET@s3.example.com/bucket?region=us-east-1'

/**
 * Reads `STORAGE_URL`: the prefix of all objects, with key and secret. Whether the bucket is part of the path or of
 * the host name depends on the storage; both work.
 *
 * @throws Error with a sentence that does not reveal the secret
 */
export function readStorage(text: string | undefined): StoragePlace | null {
  if (!text) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username === '' || url.password === '')
    throw new Error(`STORAGE_URL looks like ${LOOKS}`)
  return {
    base: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    region: url.searchParams.get('region') || 'us-east-1',
  }
}
