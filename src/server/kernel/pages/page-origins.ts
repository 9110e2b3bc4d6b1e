import { isObject, type Json } from '../../../../runtime/core/json.ts'
import type { Config } from '../config/config.ts'

/** Options of a page that send or receive data. */
const ADDRESSES: ReadonlySet<string> = new Set(['requestURL', 'uploadURL'])
/** What readers of addresses drop: blanks and control characters before them, tabs and line breaks within. */
const DROPPED = /^[^!-~\u0080-\uffff]+|[\t\n\r]+/g
/** An origin written in the document; one that is composed at run time is checked then, by the client. */
const WRITTEN = /^(https?:)?[\\/]{2}[^\\/{}?#]+(?=[\\/?#]|\s*$)/i

/** Origins that a tenant's pages may call besides ours: the operator's list without those that the tenant excluded. */
export function allowedOrigins(
  { dataOrigins, cloudOrigins }: Pick<Config, 'dataOrigins' | 'cloudOrigins'>,
  settings: unknown,
): ReadonlySet<string> {
  const origins = isObject(settings as Json) ? (settings as { data_origins?: Json }).data_origins : null
  const all = [...dataOrigins, ...cloudOrigins]
  return new Set(Array.isArray(origins) ? all.filter((origin) => origins.includes(origin)) : all)
}

/** The places of a document that name an origin that is not allowed, as JSON pointers. */
export function refusedOrigins(
  document: Json,
  ownOrigin: string,
  allowed: ReadonlySet<string>,
): readonly { readonly at: string; readonly origin: string }[] {
  const found: { at: string; origin: string }[] = []
  const look = (value: Json | undefined, at: string, key: string): void => {
    if (typeof value === 'object' && value !== null)
      for (const [name, part] of Object.entries(value))
        look(part, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, name)
    if (typeof value !== 'string' || !ADDRESSES.has(key)) return
    const [written] = WRITTEN.exec(value.replace(DROPPED, '')) ?? []
    if (written === undefined || !URL.canParse(written, ownOrigin)) return
    const { origin } = new URL(written, ownOrigin)
    if (origin !== ownOrigin && !allowed.has(origin)) found.push({ at, origin })
  }
  look(document, '', '')
  return found
}
