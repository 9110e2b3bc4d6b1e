import { type JsonObject, ownValue } from '../json.ts'

/** True for an id of a storage (`cloud://space/a.png`): no browser can fetch it, its address has to be asked for. */
export function isStoredFile(address: string): boolean {
  return address.startsWith('cloud://')
}

/** What an uploaded file is shown from: its id where it has one, since an address that was stored beside it may have ended. */
export function addressOfFile(file: JsonObject): string {
  const [id, url] = [ownValue(file, 'fileID'), ownValue(file, 'url')]
  if (typeof id === 'string' && isStoredFile(id)) return id
  return typeof url === 'string' ? url : ''
}
