import { isObject, type Json, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import { type DetailTab, inverseTab } from '../../../model/derived/tabs.ts'
import type { DerivedWords } from '../../../model/derived/words.ts'
import { type Inverse, inversesOf } from '../../../model/inverse.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { summaryOfModules } from './cached-by-model.ts'
import type { TenantModel } from './library.ts'
import { withSources } from './own-widgets.ts'

/**
 * The detail page of a module of the product, with a tab for each list of the tenant's own records that refer to it. The page itself does not
 * mention them.
 *
 * @param path  of the page
 */
export function withInverseTabs(
  document: JsonObject,
  path: string,
  model: TenantModel,
  words: DerivedWords,
): JsonObject {
  const module = detailModule(document, path, model)
  if (module === undefined) return document
  const inverses = inversesIn(model, module.name)
  if (inverses.length === 0) return document
  return withTabs(
    document,
    inverses.map((inverse) => inverseTab(inverse, words, `data.detail.record.${module.title}`)),
  )
}

/** The module whose record a page shows: a detail page, or that of a pool. */
export function detailModule(
  document: JsonObject,
  path: string,
  model: TenantModel,
): MergedModule | undefined {
  return model.modules.get(whoseDetail(model, path)) ?? inPool(document, model.modules)
}

/** The name of the module whose detail page has that path; '' if there is none. */
const whoseDetail = summaryOfModules(
  ({ modules }, path) => [...modules.values()].find(({ pages }) => pages?.detail === path)?.name ?? '',
)

/** The fields of the tenant's own that refer to a module with a tab there. */
export const inversesIn = (model: TenantModel, name: string): readonly Inverse[] =>
  inversesOf(
    whoName(model, name).flatMap((one) => model.modules.get(one) ?? []),
    name,
  )

const whoName = summaryOfModules(({ modules }, name) =>
  [...modules.values()].flatMap((module) => (inversesOf([module], name).length === 0 ? [] : [module.name])),
)

/** The module whose records a pool's detail page shows. */
function inPool(document: JsonObject, modules: TenantModel['modules']): MergedModule | undefined {
  const sources = ownValue(document.formConfig, 'dataSources')
  const detail = (Array.isArray(sources) ? sources : []).find(
    (one) => ownValue(one, 'uniqueName') === 'detail',
  )
  const name = POOL_DETAIL.exec(String(ownValue(detail, 'requestURL')))?.[1]
  return name === undefined ? undefined : modules.get(name)
}
const POOL_DETAIL = /^\/mini\/pool\/(\w+)\/detail$/

/** The page with more tabs after the existing ones, and their content. A page without tabs is unchanged. */
function withTabs(document: JsonObject, tabs: readonly DetailTab[]): JsonObject {
  const widgets = Array.isArray(document.widgetList) ? document.widgetList : []
  const at = widgets.findIndex(isTabs)
  if (at === -1) return document
  const bar = widgets[at] as JsonObject
  const options = isObject(bar.options) ? bar.options : {}
  const items = Array.isArray(options.optionItems) ? options.optionItems : []
  const end = widgets.findIndex((widget, i) => i > at && ownValue(widget, 'type') === 'action-bar')
  const below = end === -1 ? widgets.length : end
  const widgetList = [
    ...widgets.slice(0, at),
    {
      ...bar,
      options: {
        counts: 'data.detail.related',
        ...options,
        optionItems: [...items, ...tabs.map(({ item }) => item)],
      },
    },
    ...widgets.slice(at + 1, below),
    ...tabs.flatMap((tab) => tab.widgets),
    ...widgets.slice(below),
  ]
  return withSources(
    { ...document, widgetList },
    tabs.flatMap(({ sources }) => sources),
  )
}

const isTabs = (widget: Json): boolean =>
  ownValue(widget, 'type') === 'quick-tabs' && ownValue(ownValue(widget, 'options'), 'name') === 'tab'
