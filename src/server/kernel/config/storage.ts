/** Object storage as `STORAGE_URL` names it. */
export interface StoragePlace {
  /** Objects lie below it: `https://host/bucket/prefix`, or with the bucket in the name of the host. No slash at its end. */
  readonly base: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

const LOOKS = 'https://KEY:SECRET@s3.example.com/bucket?region=us-east-1'

/**
 * Reads `STORAGE_URL`: the address below which objects lie, with key and secret. Whether the bucket stands in the path or in the name of
 * the host is the storage's way; both work.
 *
 * @throws Error with a sentence that does not show the secret
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
