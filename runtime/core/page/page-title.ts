import { isObject, type Json, ownValue } from '../json.ts'

/** Where a document has its title: ours in the page settings, a plain VForm document where its designer stores the name of the form. */
export function titlePath(document: Json): readonly string[] {
  const config = ownValue(document, 'formConfig')
  return isObject(ownValue(config, 'page')) ? ['formConfig', 'page', 'title'] : ['formConfig', 'formName']
}

/** The title as it is written, with its places; '' where there is none. */
export function writtenTitle(document: Json): string {
  const title = titlePath(document).reduce<Json | undefined>((at, step) => ownValue(at, step), document)
  return typeof title === 'string' ? title : ''
}
