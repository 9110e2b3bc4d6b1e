import { type Json, ownValue } from '../../../../runtime/core/json.ts'

/** The title a page says of itself; empty where it has none or makes it from data. */
export function pageTitle(document: Json): string {
  const title = ownValue(ownValue(ownValue(document, 'formConfig'), 'page'), 'title')
  return typeof title === 'string' && !title.includes('{{') ? title : ''
}
