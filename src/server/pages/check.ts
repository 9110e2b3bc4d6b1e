import { problem } from '../../../runtime/core/errors.ts'
import { isObject } from '../../../runtime/core/json.ts'
import type { CheckPage } from './load.ts'

/** Whether a document can be served as a page. */
export const checkPage: CheckPage = (document) => {
  const page = isObject(document) && Array.isArray(document.widgetList) && isObject(document.formConfig)
  return page ? [] : [problem('DOCUMENT_INVALID', '', { reason: 'no widgetList or no formConfig' })]
}
