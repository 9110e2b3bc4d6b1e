import { isObject, type Json } from '../../../../runtime/core/json.ts'
import type { Config } from '../config/config.ts'

/** Options of a page by which data leaves or comes. */
const ADDRESSES: ReadonlySet<string> = new Set(['requestURL', 'uploadURL'])
/** An origin that stands in the document; one that is put together at run time is judged then, by the client. */
const WRITTEN = /^\s*(https?:)?[\\/]{2}[^\\/{}?#]+(?=[\\/?#]|\s*$)/i

/** What the pages of a tenant may ask besides us: the operator's origins, less those that the tenant has taken out. */
export function allowedOrigins(
  { dataOrigins, cloudOrigins }: Pick<Config, 'dataOrigins' | 'cloudOrigins'>,
  settings: unknown,
): ReadonlySet<string> {
  const left = isObject(settings as Json) ? (settings as { data_origins?: Json }).data_origins : null
  const all = [...dataOrigins, ...cloudOrigins]
  return new Set(Array.isArray(left) ? all.filter((origin) => left.includes(origin)) : all)
}

/** The places of a document that name an origin which is not allowed, as JSON pointers. */
export function refusedOrigins(
  document: Json,
  own: string,
  allowed: ReadonlySet<string>,
): readonly { readonly at: string; readonly origin: string }[] {
  const found: { at: string; origin: string }[] = []
  const look = (value: Json | undefined, at: string, key: string): void => {
    if (typeof value === 'object' && value !== null)
      for (const [name, part] of Object.entries(value))
        look(part, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, name)
    if (typeof value !== 'string' || !ADDRESSES.has(key)) return
    const [written] = WRITTEN.exec(value) ?? []
    if (written === undefined || !URL.canParse(written, own)) return
    const { origin } = new URL(written, own)
    if (origin !== own && !allowed.has(origin)) found.push({ at, origin })
  }
  look(document, '', '')
  return found
}
