import { type JsonObject, ownValue } from '../json.ts'

/** True for an id of a storage (`cloud://space/a.png`): browsers cannot load it, its address has to be requested. */
export function isStoredFile(address: string): boolean {
  return address.startsWith('cloud://')
}

/** The source for displaying an uploaded file: its id if it has one, because a stored address may have expired. */
export function addressOfFile(file: JsonObject): string {
  const [id, url] = [ownValue(file, 'fileID'), ownValue(file, 'url')]
  if (typeof id === 'string' && isStoredFile(id)) return id
  return typeof url === 'string' ? url : ''
}
