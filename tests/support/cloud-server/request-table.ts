import { isObject, ownValue } from '../../../runtime/core/json.ts'
import type { Seen } from './seen.ts'

/** One call made by both clients, and the resulting requests. */
export interface TableRow {
  readonly provider: string
  readonly call: string
  readonly requests: readonly Seen[]
}

/** Headers whose values are not compared: random, or added below the clients. */
interface LeftOut {
  readonly random: readonly string[]
  readonly stack: readonly string[]
}

/** The side-by-side table as Markdown. */
export function requestTable(rows: readonly TableRow[], left: LeftOut): string {
  const providers = [...new Set(rows.map((row) => row.provider))]
  const sections = providers.map((provider) => {
    const own = rows.filter((row) => row.provider === provider)
    const known = [...new Set(own.flatMap(({ requests }) => requests.map(describe)))]
    const names = own.map(({ requests }) => requests.map((one) => known.indexOf(describe(one)) + 1))
    const legend = known.map((words, i) => `| ${i + 1} | ${words} |`)
    const lines = own.map(({ call }, i) => `| ${call} | ${names[i]?.join(' → ')} |`)
    return [
      `## ${provider}\n`,
      '| | Request |',
      '|---|---|',
      ...legend,
      '',
      '| Call | Requests |',
      '|---|---|',
      ...lines,
      '',
    ].join('\n')
  })
  return `# Requests beside those of the public client

Written by \`tests/contract/cloud/public-client.test.ts\`: \`@dcloudio/uni-cloud\` and this room were made to do each call against the
test server (\`tests/support/cloud-server\`, which checks signatures and tokens), at the same time of a clock that stands still. Number,
order, method, host, path, query, headers (signatures included) and body were the same in all ${rows.length} rows. Not compared: the values of
${code(left.random)} and \`seqId\` (random), the boundary of forms, and what the HTTP stack adds
(${code(left.stack)}).

${sections.join('\n')}`
}

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

/** Method, address and subject of the request. */
function describe({ method, host, path, query, headers, body, file }: Seen): string {
  const about = isObject(body) ? (ownValue(body, 'method') ?? ownValue(body, 'action')) : undefined
  const named = typeof about === 'string' && file === undefined ? about : headers['x-to-function-name']
  const fields = file
    ? `form of ${[...Object.keys(isObject(body) ? body : {}), file.field].join(', ')}`
    : named
  const address = `${host}${path}${query === '' ? '' : `?${query}`}`
  return `\`${method} ${address}\`${fields ? ` ${fields}` : ''}`
}
