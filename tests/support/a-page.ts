import type { Json, JsonObject } from '../../runtime/core/json.ts'
import type { Page } from '../../runtime/core/page/page.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { createRegistry } from '../../runtime/core/widgets/index.ts'

export const registry = createRegistry()

/** A widget as in a document; fields get their `formItemFlag`. */
export function aWidget(
  type: string,
  name: string,
  options: JsonObject = {},
  rest: JsonObject = {},
): JsonObject {
  const field = registry.get(type)?.kind === 'field'
  return {
    type,
    id: `${type}-${name}`,
    ...(field ? { formItemFlag: true } : {}),
    options: { name, label: name, ...options },
    ...rest,
  }
}

/** A sub-form of the given fields. */
export const aSubForm = (
  name: string,
  widgetList: readonly JsonObject[],
  options: JsonObject = {},
): JsonObject =>
  aWidget('sub-form', name, options, { category: 'container', widgetList: widgetList as readonly Json[] })

/** The document of a page with these widgets. */
export const aDocument = (widgetList: readonly JsonObject[], formConfig: JsonObject = {}): JsonObject => ({
  widgetList: widgetList as readonly Json[],
  formConfig: { jsonVersion: -3, layoutType: 'H5', ...formConfig },
})

/** A parsed page with these widgets; fails the test if the page has problems. */
export function aPage(widgetList: readonly JsonObject[], formConfig: JsonObject = {}): Page {
  const parsed = parsePage(aDocument(widgetList, formConfig), { registry })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems, null, 1))
  return parsed.page
}
