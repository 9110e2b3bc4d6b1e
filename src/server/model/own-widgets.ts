import { isObject, type Json, type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import { type FormWords, fieldsOnForm, ownName } from '../../model/form-fields.ts'
import type { MergedField } from '../../model/merge-module.ts'
import { type PageVersion, pageVersion } from '../pages/page-version.ts'
import type { TenantModel } from './library.ts'

const versions = new WeakMap<TenantModel, WeakMap<PageVersion, PageVersion>>()

/**
 * The page as a tenant has it: a container with `"fields": "customer"` in its options holds the tenant's own fields of that module, and is
 * gone where there are none; `"ext": { "fields": "customer" }` in a body becomes their values.
 */
export function withOwnWidgets(version: PageVersion, model: TenantModel, words: FormWords): PageVersion {
  if (!mentionsFields(version)) return version
  const known = versions.get(model) ?? new WeakMap<PageVersion, PageVersion>()
  versions.set(model, known)
  const made = known.get(version)
  if (made !== undefined) return made
  const sources: JsonObject[] = []
  const filled = fill(version.document, model, words, sources) as JsonObject
  const document = sources.length === 0 ? filled : withSources(filled, sources)
  const own = {
    ...pageVersion(version.path, document),
    needLogin: version.needLogin,
    permissions: version.permissions,
  }
  known.set(version, own)
  return own
}

const mentioned = new WeakMap<PageVersion, boolean>()

function mentionsFields(version: PageVersion): boolean {
  const known = mentioned.get(version)
  if (known !== undefined) return known
  const found = JSON.stringify(version.document).includes('"fields":"')
  mentioned.set(version, found)
  return found
}

function fill(value: Json, model: TenantModel, words: FormWords, sources: JsonObject[]): Json {
  if (Array.isArray(value))
    return value.flatMap((item) => {
      const module = isObject(item) ? ownValue(item.options, 'fields') : undefined
      if (typeof module !== 'string' || !isObject(item)) return [fill(item, model, words, sources)]
      const fields = ownFields(model, module)
      if (fields.length === 0) return []
      const isOwn = (name: string): boolean => model.modules.get(name)?.origin === 'tenant'
      const { widgets, sources: more } = fieldsOnForm(fields.map(renamed), words, isOwn)
      sources.push(...more)
      const { fields: _, ...options } = isObject(item.options) ? item.options : {}
      return [{ ...item, options, widgetList: [...widgets] }]
    })
  if (!isObject(value)) return value
  const { fields: module } = value
  if (typeof module === 'string' && Object.keys(value).length === 1)
    return Object.fromEntries(
      ownFields(model, module).map(({ name }): [string, Json] => [name, `{{ form.${ownName(name)} }}`]),
    )
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, fill(child ?? null, model, words, sources)]),
  )
}

/** Own fields that people write, as their page has them. */
const ownFields = ({ modules }: TenantModel, module: string): readonly MergedField[] =>
  (modules.get(module)?.fields ?? []).filter(({ origin, retired }) => origin === 'tenant' && retired !== true)

const renamed = (field: MergedField): MergedField => ({ ...field, name: ownName(field.name) })

function withSources(document: JsonObject, more: readonly JsonObject[]): JsonObject {
  const config = isObject(document.formConfig) ? document.formConfig : {}
  const there = Array.isArray(config.dataSources) ? config.dataSources : []
  const names = new Set(there.map((one) => ownValue(one, 'uniqueName')))
  const added = more.filter((one) => !names.has(one.uniqueName))
  return { ...document, formConfig: { ...config, dataSources: [...there, ...added] } }
}
