import type { Connection, ConnectionSource } from '../../src/server/kernel/db/connection.ts'

/** The cost of one reading statement, as counted by PostgreSQL. */
export interface ReadPlan {
  readonly sql: string
  /** Rows its scans read, including those they discarded. */
  readonly read: number
  readonly returned: number
  /** Milliseconds of execution and of planning. */
  readonly took: number
  readonly planned: number
  /** Its scans, those that read most rows first. */
  readonly scans: readonly Scan[]
  /** Every index it used. */
  readonly indexes: readonly string[]
}

/** One scan of a table, by an index or sequential. */
interface Scan {
  readonly table: string
  /** The index, or the table. */
  readonly what: string
  readonly read: number
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

/** A connection source that repeats every reading statement under `explain analyze` while recording. */
export function watchPlans(source: ConnectionSource) {
  let plans: ReadPlan[] | undefined
  const watched = (connection: Connection): Connection => {
    // Statements sent without waiting, including the end of the transaction, must stay behind the statement that is explained first.
    let last: Promise<unknown> = Promise.resolve()
    const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
      const answer = last.then(work)
      last = answer.catch(() => undefined)
      return answer
    }
    return {
      query: (text, parameters) =>
        inTurn(async () => {
          if (plans !== undefined && /^\s*(select|with)\b/i.test(text) && !/for update/i.test(text))
            plans.push(await explain(connection, text, parameters))
          return connection.query(text, parameters)
        }),
      begin: (settings) => inTurn(() => connection.begin(settings)),
      end: (how) => inTurn(() => connection.end(how)),
      exec: (text) => inTurn(() => connection.exec(text)),
      release: (broken) => connection.release(broken),
    }
  }
  return {
    source: { ...source, acquire: async () => watched(await source.acquire()) } as ConnectionSource,
    /** The plans of the statements that `work` reads with. */
    async record(work: () => Promise<unknown>): Promise<readonly ReadPlan[]> {
      const mine: ReadPlan[] = []
      plans = mine
      try {
        await work()
      } finally {
        plans = undefined
      }
      return mine
    },
  }
}

const HOW = 'explain (analyze, timing off, format json)'

async function explain(
  connection: Connection,
  text: string,
  parameters: readonly unknown[],
): Promise<ReadPlan> {
  const [, called] = /^select \* from (crm_\w+)\(/.exec(text) ?? []
  const { rows } =
    called === undefined
      ? await connection.query(`${HOW} ${text}`, parameters)
      : await explainCalled(connection, called, parameters)
  const [answer] = (rows[0] as Record<string, readonly [Explained]>)['QUERY PLAN'] ?? []
  if (answer === undefined) throw new Error('no plan')
  const scans = scansOf(answer.Plan).sort((a, b) => b.read - a.read)
  return {
    sql: text,
    read: scans.reduce((sum, scan) => sum + scan.read, 0),
    returned: rowsOf(answer.Plan),
    took: answer['Execution Time'],
    planned: answer['Planning Time'],
    indexes: indexesOf(answer.Plan),
    scans,
  }
}

/** The plan of a function that consists of one query: the query, as planned inside it. */
async function explainCalled(connection: Connection, name: string, parameters: readonly unknown[]) {
  const { rows } = await connection.query(
    `select prosrc, coalesce(proconfig, '{}') as settings, proargnames as names,
      array(select format_type(t, null) from unnest(proargtypes) t) as types from pg_proc where proname = $1`,
    [name],
  )
  const [found] = rows as [
    {
      readonly prosrc: string
      readonly settings: readonly string[]
      readonly names: readonly string[]
      readonly types: readonly string[]
    },
  ]
  const [, question = ''] = /return query([\s\S]*);\s*end/.exec(found.prosrc) ?? []
  const body = found.types.reduce(
    (text, _, i) => text.replaceAll(found.names[i] ?? '', `$${i + 1}`),
    question,
  )
  const values = found.types.map((type, i) => `quote_nullable($${i + 1}::${type}::text)`).join()
  const literals = (await connection.query(`select array[${values}] as all`, parameters)).rows as [
    { readonly all: readonly string[] },
  ]
  for (const setting of found.settings) {
    const [key = '', value = ''] = setting.split('=')
    await connection.query('select set_config($1, $2, true)', [key, value])
  }
  await connection.exec(`prepare ${name} (${found.types.join()}) as ${body}`)
  const plan = await connection.query(`${HOW} execute ${name}(${literals[0].all.join()})`, [])
  await connection.exec(`deallocate ${name}; reset enable_seqscan; reset plan_cache_mode`)
  return plan
}

interface Explained {
  readonly Plan: PlanNode
  readonly 'Execution Time': number
  readonly 'Planning Time': number
}

const rowsOf = (node: PlanNode): number => (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1)

/** Rows are counted where a table is read; a bitmap scan counts at the table, not at its indexes. */
function scansOf(node: PlanNode): Scan[] {
  const below = (node.Plans ?? []).flatMap(scansOf)
  const table = node['Relation Name']
  if (table === undefined || node['Node Type'] === 'ModifyTable') return below
  const loops = node['Actual Loops'] ?? 1
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return [...below, { table, what: `${node['Index Name'] ?? table}`, read: rowsOf(node) + removed * loops }]
}

function indexesOf(node: PlanNode): string[] {
  const own = node['Index Name']
  return [...(own === undefined ? [] : [own]), ...(node.Plans ?? []).flatMap(indexesOf)]
}
