import { PROBLEMS, phrase } from '../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../../runtime/core/json.ts'
import { nameHint } from '../../runtime/core/page/nearest-type.ts'
import { escaped, type ModuleProblem, moduleProblem } from './module-problem.ts'

/** Names that a description may use. */
export interface ModuleNames {
  readonly dictionaries?: ReadonlySet<string>
  /** Modules of the rights. */
  readonly permissions?: ReadonlySet<string>
  /** Modules that fields may refer to. */
  readonly modules?: ReadonlySet<string>
  /** Addresses that open a page. */
  readonly routes?: ReadonlySet<string>
  /** Fields that were there before their name was reserved: they keep it. */
  readonly kept?: ReadonlySet<string>
}

/** Lists of stages, which fields refer to as to a module. */
const BESIDE_MODULES: ReadonlySet<string> = new Set(['flow'])
/** Pages that are derived from a tenant's own modules. */
const OWN_PAGE = /^\/pages\/m\//

/** Names of what stands outside of the description and that nobody has: dictionaries, modules, their rights, and pages. */
export function externalNameProblems(given: JsonObject, known: ModuleNames): readonly ModuleProblem[] {
  return externalNames(given).flatMap(({ kind, name, at }) => {
    const names = known[kind]
    if (names === undefined || names.has(name) || isElsewhere(kind, name, given)) return []
    const sentence = phrase(PROBLEMS.WORD_UNKNOWN.message, { name, what: OUTSIDE[kind] })
    return [moduleProblem('WORD_UNKNOWN', at, sentence, nameHint(name, [...names]))]
  })
}

const OUTSIDE = {
  dictionaries: phrase('dictionaries'),
  permissions: phrase('modules of the rights'),
  modules: phrase('modules'),
  routes: phrase('routes'),
}

function isElsewhere(kind: keyof typeof OUTSIDE, name: string, { name: own }: JsonObject): boolean {
  if (kind === 'routes') return OWN_PAGE.test(name)
  return kind !== 'dictionaries' && (name === own || BESIDE_MODULES.has(name))
}

interface ExternalName {
  readonly kind: keyof typeof OUTSIDE
  readonly name: string
  readonly at: string
}

/** Everything that a description names outside of itself, fields of rows included. */
export function externalNames({ permission, fields, pages, convert }: JsonObject): readonly ExternalName[] {
  const one = (kind: ExternalName['kind'], name: Json | undefined, at: string): readonly ExternalName[] =>
    typeof name === 'string' ? [{ kind, name, at }] : []
  const inFields = (list: Json | undefined, at: string): readonly ExternalName[] =>
    (Array.isArray(list) ? list : []).flatMap((field, i) => {
      if (!isObject(field)) return []
      const below = `${at}/${i}`
      return [
        ...one('dictionaries', field.dict, `${below}/dict`),
        ...one('modules', field.module, `${below}/module`),
        ...one('modules', ownValue(field.rollup, 'module'), `${below}/rollup/module`),
        ...inFields(field.fields, `${below}/fields`),
      ]
    })
  return [
    ...one('permissions', permission, '/permission'),
    ...inFields(fields, '/fields'),
    ...Object.entries(isObject(pages) ? pages : {}).flatMap(([key, path]) =>
      one('routes', typeof path === 'string' ? path.split('?')[0] : path, `/pages/${escaped(key)}`),
    ),
    ...Object.keys(isObject(convert) ? convert : {}).flatMap((module) =>
      one('modules', module, `/convert/${escaped(module)}`),
    ),
  ]
}
