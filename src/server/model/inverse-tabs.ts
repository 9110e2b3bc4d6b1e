import { isObject, type Json, type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import { type DetailTab, inverseTab } from '../../model/derived/tabs.ts'
import type { DerivedWords } from '../../model/derived/words.ts'
import { inversesOf } from '../../model/inverse.ts'
import { type PageVersion, pageVersion } from '../pages/page-version.ts'
import type { TenantModel } from './library.ts'
import { withSources } from './own-widgets.ts'

const versions = new WeakMap<TenantModel, WeakMap<PageVersion, PageVersion>>()

/** The detail page of a module of the product, with a tab for each list of the tenant's own records that name it. The page says nothing of them. */
export function withInverseTabs(version: PageVersion, model: TenantModel, words: DerivedWords): PageVersion {
  const module = [...model.modules.values()].find(({ pages }) => pages?.detail === version.path)
  const inverses = module === undefined ? [] : inversesOf(model.modules.values(), module.name)
  if (module === undefined || inverses.length === 0) return version
  const known = versions.get(model) ?? new WeakMap<PageVersion, PageVersion>()
  versions.set(model, known)
  const tabs = inverses.map((one) => inverseTab(one, words, `data.detail.record.${module.title}`))
  const made = known.get(version) ?? {
    ...pageVersion(version.path, withTabs(version.document as JsonObject, tabs)),
    needLogin: version.needLogin,
    permissions: version.permissions,
  }
  known.set(version, made)
  return made
}

/** The page with more tabs behind those it has, and what they show below. A page without tabs stays as it is. */
function withTabs(document: JsonObject, tabs: readonly DetailTab[]): JsonObject {
  const widgets = Array.isArray(document.widgetList) ? document.widgetList : []
  const at = widgets.findIndex(isTabs)
  if (at === -1) return document
  const bar = widgets[at] as JsonObject
  const options = isObject(bar.options) ? bar.options : {}
  const items = Array.isArray(options.optionItems) ? options.optionItems : []
  const end = widgets.findIndex((one, i) => i > at && ownValue(one, 'type') === 'action-bar')
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
