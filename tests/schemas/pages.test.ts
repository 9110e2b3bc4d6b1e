import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from '../../runtime/core/json.ts'
import { ACTIONS, OPERATE, OWN_ACTIONS } from '../../src/server/kernel/auth/permissions.ts'
import { checkPage } from '../../src/server/kernel/pages/check.ts'
import { objectsIn, type Product, readJson, readProduct, settingsOf, textsIn } from './product-pages.ts'

const MODULES = new URL('../../schemas/modules', import.meta.url).pathname
const OPENING = new Set(['navigate', 'redirect', 'relaunch', 'switchTab'])
/** Product modules that are defined by their descriptions alone. */
const SHIPPED = readdirSync(MODULES).flatMap((file) => {
  const { name, store } = JSON.parse(readFileSync(`${MODULES}/${file}`, 'utf8')) as {
    name: string
    store?: string
  }
  return store === 'record' ? [name] : []
})
/** Set by the client; not a dictionary of the server. */
const PLACE = /\{\{[^}]*\}\}/g

describe('the pages of the product', () => {
  let product: Product
  let dicts: ReadonlySet<string>

  beforeAll(async () => {
    product = await readProduct()
    const given = await readJson('src/server/flows/dict/default-dicts.json')
    dicts = new Set(isObject(given) ? Object.keys(given) : [])
  })

  it('open without a problem', () => {
    expect(Object.fromEntries(product.broken)).toEqual({})
    expect(product.pages.length).toBeGreaterThan(5)
  })

  it('have known widgets: none is drawn as a notice', () => {
    const unknown = product.pages.flatMap(({ path, document }) =>
      checkPage(document).flatMap(({ code, at }) => (code === 'WIDGET_UNKNOWN' ? `${path} ${at}` : [])),
    )

    expect(unknown).toEqual([])
  })

  it('report a save after the app has read its user again: users who then leave see the message, and are not led back', () => {
    const early = product.pages.flatMap(({ path, document }) =>
      [...objectsIn(document)].flatMap(({ do: name, saved, then }) =>
        name === 'save' && saved !== '' && [...objectsIn(then)].some((one) => one.do === 'refreshUser')
          ? [path]
          : [],
      ),
    )

    expect(early).toEqual([])
  })

  it('save by the action save: submit is for other calls, or for calls whose answer has the result', () => {
    const isSaid = (action: JsonObject): boolean =>
      action.do === 'toast' && action.icon === 'success' && action.if === undefined
    const chains = product.pages.flatMap(({ path, document }) =>
      [...objectsIn(document)]
        .filter(
          ({ do: name, then }) =>
            name === 'submit' && Array.isArray(then) && then.filter(isObject).some(isSaid),
        )
        .map(({ dsName }) => `${path} ${String(dsName)}`),
    )
    expect(chains).toEqual(['/pages/login/login login'])
  })

  it('each belong to a route', () => {
    const served = new Set(product.routes.values())
    expect(product.pages.map(({ path }) => path).filter((path) => !served.has(path))).toEqual([])
  })

  it('serve every route of the table, aliases included', async () => {
    const rows = await readJson('schemas/routes.json')
    const documents = new Set(product.pages.map(({ path }) => path))
    const paths = (Array.isArray(rows) ? rows : [])
      .filter(isObject)
      .flatMap(({ path, aliases }) => [String(path), ...(Array.isArray(aliases) ? aliases.map(String) : [])])

    expect(paths.length).toBeGreaterThan(50)
    // Paths with a placeholder lead to pages derived from own modules.
    const written = paths.filter((path) => !path.includes('/:'))
    expect(written.filter((path) => !documents.has(product.routes.get(path) ?? path))).toEqual([])
  })

  it('have a title', () => {
    const nameless = product.pages.filter((page) => String(settingsOf(page).title ?? '').trim() === '')
    expect(nameless.map(({ path }) => path)).toEqual([])
  })

  it('name dictionaries that every tenant has', () => {
    const unknown = product.pages.flatMap(({ path, document }) => {
      const options = [...objectsIn(document)].flatMap(({ dict }) =>
        typeof dict === 'string' && dict !== '' ? [dictOf(dict)] : [],
      )
      const filters = [...textsIn(document)].flatMap((text) =>
        [...text.matchAll(/\|\s*dict:([\w-]+)/g)].map(([, key]) => key ?? ''),
      )
      return [...options, ...filters].filter((key) => !dicts.has(key)).map((key) => `${path}: ${key}`)
    })
    expect(unknown).toEqual([])
  })

  it('require existing permissions', () => {
    // `own:` stands for each own module of a tenant.
    const shipped = SHIPPED.map((name) => [`m.${name}`, OWN_ACTIONS] as const)
    const known = new Set([
      OPERATE,
      ...Object.entries({ ...ACTIONS, own: OWN_ACTIONS, ...Object.fromEntries(shipped) }).flatMap(
        ([module, actions]) => ['*', ...actions].map((action) => `${module}:${action}`),
      ),
    ])
    const unknown = product.pages.flatMap((page) => {
      const asked = [...objectsIn(page.document)].flatMap((rule) => {
        const [name, where] = Array.isArray(rule.in) ? rule.in : []
        const isUsers = isObject(where) && where.var === 'user.permissions'
        return isUsers && typeof name === 'string' ? [name] : []
      })
      const { permission } = settingsOf(page)
      const rights = Array.isArray(permission) ? permission.filter(isObject) : [{ permission }]
      const named = rights.map((one) => one.permission).filter((one) => typeof one === 'string')
      return [...asked, ...named].filter((one) => !known.has(one)).map((one) => `${page.path}: ${one}`)
    })
    expect(unknown).toEqual([])
  })

  it('link to existing pages, with the parameters that these need', () => {
    const pages = new Map(product.pages.map((page) => [page.path, page]))
    const wrong = product.pages.flatMap(({ path, document }) =>
      [...objectsIn(document)].flatMap((action) => {
        if (!OPENING.has(String(action.do)) || typeof action.url !== 'string') return []
        const [place = '', query = ''] = action.url.replaceAll(PLACE, 'x').split('?')
        // The pages of own modules are derived from their descriptions.
        if (!place.startsWith('/') || place.startsWith('/pages/m/')) return []
        const target = pages.get(product.routes.get(place) ?? place)
        if (target === undefined) return [`${path}: ${place} has no page`]
        const params = settingsOf(target).params
        const declared = (Array.isArray(params) ? params : []).filter(isObject)
        const given = new URLSearchParams(query)
        for (const name of Object.keys(isObject(action.query) ? action.query : {})) given.set(name, 'x')
        const missing = declared.filter((one) => one.required === true && !given.has(String(one.name)))
        const unknown = [...given.keys()].filter((name) => !declared.some((one) => one.name === name))
        return [
          ...missing.map((one) => `lacks ${one.name}`),
          ...unknown.map((name) => `does not take ${name}`),
        ].map((fault) => `${path}: ${place} ${fault}`)
      }),
    )
    expect(wrong).toEqual([])
  })
})

/** A dictionary with a placeholder counts together with its fallback. */
function dictOf(written: string): string {
  return /\|\s*default:([\w-]+)/.exec(written)?.[1] ?? written
}
