import { type Problem, phrase, problem } from '../errors.ts'
import { isObject, type Json, ownValue } from '../json.ts'
import type { PageCheck } from '../page/parse.ts'

/** How an address may begin that data is requested from; one without a scheme is relative. */
const SOURCE_SCHEMES: readonly string[] = ['http:', 'https:', 'cloud:', 'conn:', 'local:']
/** The same for files that are uploaded. */
const UPLOAD_SCHEMES: readonly string[] = ['http:', 'https:', 'cloud:']
/** Schemes that the browser reads; ours are compared as written. */
const OF_BROWSER = /^https?:$/i
/** A scheme, with what a browser drops before and within it: control characters and blanks, tabs and line breaks. */
const WRITTEN = /^[^!-~\u0080-\uffff]*[a-z](?:[a-z0-9+.-]|[\t\n\r])*:/i
const DROPPED = /[^!-~\u0080-\uffff]+/g
/** Evaluated when a file is uploaded. */
const EXPRESSION = /DSV[.[]/

/** Addresses of data sources and uploads with a scheme that nothing answers: the browser blocks them at run time. */
export const checkAddresses: PageCheck = ({ config, nodes }, placing) => {
  const sources: readonly unknown[] = Array.isArray(config.dataSources) ? config.dataSources : []
  return [
    ...sources.flatMap((source, i) =>
      isObject(source) && source.requestURLType !== 'Variable'
        ? faultOf(source.requestURL, `/formConfig/dataSources/${i}/requestURL`, SOURCE_SCHEMES)
        : [],
    ),
    ...[...nodes.values()].flatMap((node) => {
      const uploadURL = ownValue(node.widget.options, 'uploadURL')
      return typeof uploadURL !== 'string' || EXPRESSION.test(uploadURL)
        ? []
        : faultOf(uploadURL, placing.at(node, '/options/uploadURL'), UPLOAD_SCHEMES)
    }),
  ]
}

function faultOf(address: Json | undefined, at: string, allowed: readonly string[]): readonly Problem[] {
  const [written] = typeof address === 'string' ? (WRITTEN.exec(address) ?? []) : []
  if (written === undefined || allowed.includes(written)) return []
  if (OF_BROWSER.test(written.replace(DROPPED, ''))) return []
  const reason = phrase('{scheme} begins no address that a page can call; relative, or {schemes}', {
    scheme: JSON.stringify(written),
    schemes: allowed.join(' '),
  })
  return [problem('OPTION_INVALID', at, { reason })]
}
