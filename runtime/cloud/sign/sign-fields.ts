import { hmac } from '@noble/hashes/hmac.js'
import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { JsonObject } from '../../core/json.ts'

/** The text to sign: truthy fields by ascending name, `name=value` joined by `&`, without encoding (PROTOCOL 2.1). */
export function canonicalFields(fields: JsonObject): string {
  return Object.keys(fields)
    .filter((name) => Boolean(fields[name]))
    .sort()
    .map((name) => `${name}=${String(fields[name])}`)
    .join('&')
}

/** HMAC-MD5 of {@link canonicalFields} under the client secret, in lower-case hex. */
export function signFields(fields: JsonObject, clientSecret: string): string {
  return bytesToHex(hmac(md5, utf8ToBytes(clientSecret), utf8ToBytes(canonicalFields(fields))))
}
