import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { type JWK, SignJWT } from 'jose'
import { sql } from 'kysely'
import type { Sealer } from '../../kernel/config/sealed.ts'
import type { Database } from '../../kernel/db/database.ts'

/** The keys with which the servers sign pushes, so that a push service recognises them (RFC 8292). */
export interface Vapid {
  /** An uncompressed point in base64url: the key with which devices subscribe. */
  readonly publicKey: string
  /** The header for a push service. @param origin  of the service @param now  milliseconds since the epoch */
  authorization(origin: string, now: number): Promise<string>
}

const PLACE = 'push'
const SECOND_MS = 1000
/** Services accept at most a day; half of it leaves room for clock differences. */
const LIFE_MS = 12 * 3_600_000
/** Services limit how often new ones may be used. */
const REUSE_MS = 3_600_000

/**
 * The keys of this installation, shared by all servers of a database; generated if there are none. Keys that can no longer be decrypted (another
 * SECRETS_KEY) are replaced: then every device has to subscribe again, because browsers keep the key they were given.
 *
 * @param contact  contact address for push services: `mailto:` or `https:`
 */
export async function readVapid(
  database: Database,
  { sealer, contact, now }: { sealer: Sealer; contact: string; now: number },
): Promise<Vapid> {
  const known = await storedKey(database, sealer)
  if (known !== null) return vapidOf(known, contact)
  const fresh = newKey()
  const sealed = sealer.seal(JSON.stringify(fresh.jwk), PLACE)
  await database.system(async (trx) => {
    await sql`lock table push_key in exclusive mode`.execute(trx)
    const { rows } = await sql<{ sealed: string }>`select sealed from push_key`.execute(trx)
    const [other] = rows
    // Another server was faster.
    if (other !== undefined && sealer.open(other.sealed, PLACE) !== null) return
    await sql`delete from push_subscription`.execute(trx)
    await sql`insert into push_key (public_key, sealed, created_at) values (${fresh.publicKey}, ${sealed}, ${new Date(now)})
      on conflict (only_one) do update set public_key = excluded.public_key, sealed = excluded.sealed,
        created_at = excluded.created_at`.execute(trx)
  })
  const key = await storedKey(database, sealer)
  if (key === null) throw new Error('the key for pushes was not kept')
  return vapidOf(key, contact)
}

interface Key {
  readonly publicKey: string
  readonly jwk: JWK
}

async function storedKey(database: Database, sealer: Sealer): Promise<Key | null> {
  const { rows } = await database.system((trx) =>
    sql<{ public_key: string; sealed: string }>`select public_key, sealed from push_key`.execute(trx),
  )
  const [row] = rows
  const opened = row === undefined ? null : sealer.open(row.sealed, PLACE)
  return row === undefined || opened === null
    ? null
    : { publicKey: row.public_key, jwk: JSON.parse(opened) as JWK }
}

function newKey(): Key {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = privateKey.export({ format: 'jwk' })
  const half = (text = '') => Buffer.from(text, 'base64url')
  const point = Buffer.concat([Buffer.of(4), half(jwk.x), half(jwk.y)])
  return { publicKey: point.toString('base64url'), jwk }
}

function vapidOf({ publicKey, jwk }: Key, contact: string): Vapid {
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  const signed = new Map<string, { readonly at: number; readonly header: string }>()
  return {
    publicKey,
    async authorization(origin, now) {
      const known = signed.get(origin)
      if (known !== undefined && Math.abs(now - known.at) < REUSE_MS) return known.header
      const token = await new SignJWT({})
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
        .setAudience(origin)
        .setSubject(contact)
        .setExpirationTime(Math.floor((now + LIFE_MS) / SECOND_MS))
        .sign(key)
      const header = `vapid t=${token}, k=${publicKey}`
      signed.set(origin, { at: now, header })
      return header
    },
  }
}
