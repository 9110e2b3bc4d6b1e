import { parse } from 'libpg-query'

/** A syntax tree from PostgreSQL's own parser. */
type Node = Readonly<Record<string, unknown>>

/**
 * The tenant tables that a statement reads or writes for more than one tenant, or without specifying it: neither compared with a value
 * nor joined by tenant with a table that is, inserted without a tenant, or found by a key without one. A database that stores each tenant on one
 * of many machines could not execute it on that machine alone.
 *
 * @param ofTenants  tables whose rows have a tenant
 * @returns names of tables, each once
 */
export async function crossTenantTables(
  statement: string,
  ofTenants: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { stmts = [] } = (await parse(statement)) as { stmts?: readonly { stmt: Node }[] }
  const found = new Set<string>()
  for (const { stmt } of stmts) visit(stmt, { ofTenants, found, named: new Set() })
  return [...found].sort()
}

interface Scope {
  readonly ofTenants: ReadonlySet<string>
  readonly found: Set<string>
  /** Names of `with` queries in scope: they are not tables. */
  readonly named: ReadonlySet<string>
}

const STATEMENTS: ReadonlySet<string> = new Set(['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt'])

function visit(value: unknown, scope: Scope): void {
  if (Array.isArray(value)) for (const one of value) visit(one, scope)
  if (!isNode(value)) return
  for (const [key, child] of Object.entries(value)) {
    // Both sides of a union are queries without their wrapper.
    const isQuery = STATEMENTS.has(key) || key === 'larg' || key === 'rarg'
    if (isQuery && isNode(child) && !isNode(child.JoinExpr) && !isNode(child.RangeVar))
      query(key, child, scope)
    else visit(child, scope)
  }
}

function query(kind: string, node: Node, above: Scope): void {
  const scope = { ...above, named: new Set([...above.named, ...namesWith(node)]) }
  if (kind === 'InsertStmt') insertInto(node, scope)
  const from = [node.fromClause, node.usingClause]
  const target = kind === 'InsertStmt' || !isNode(node.relation) ? [] : [node.relation]
  const aliases = new Map(
    [...target, ...rangeVars(from)]
      .filter(({ relname }) => isOfTenants(String(relname), scope))
      .map((relation) => [aliasOf(relation), String(relation.relname)]),
  )
  const told = factsOf([node.whereClause, ...joinQuals(from)])
  const bound = boundBy(told, { aliases, isByUsing: joinsByUsing(from) })
  for (const [alias, table] of aliases) if (!bound.has(alias)) scope.found.add(table)
  // A condition on a query in `from` that only filters rows applies to its tables.
  const picked = pickedBy(from).filter((one) => isNode(one.alias) && bound.has(String(one.alias.aliasname)))
  const rest = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rest)
    if (!isNode(value)) return value
    return picked.includes(value.RangeSubselect as Node)
      ? {}
      : Object.fromEntries(Object.entries(value).map(([key, child]) => [key, rest(child)]))
  }
  visit(rest(node), scope)
}

/** Queries in `from` that filter rows of one table: like many planners, they are read as conditions on it. */
function pickedBy(from: unknown): readonly Node[] {
  if (Array.isArray(from)) return from.flatMap(pickedBy)
  if (!isNode(from)) return []
  if (isNode(from.JoinExpr)) return pickedBy([from.JoinExpr.larg, from.JoinExpr.rarg])
  const { RangeSubselect: sub } = from
  const select = isNode(sub) && isNode(sub.subquery) ? sub.subquery.SelectStmt : undefined
  const isPlain =
    isNode(select) &&
    list(select.fromClause).every((one) => isNode(one.RangeVar)) &&
    !['groupClause', 'distinctClause', 'limitCount', 'withClause'].some((part) => part in select)
  return isPlain && isNode(sub) ? [sub] : []
}

const isOfTenants = (table: string, { ofTenants, named }: Scope): boolean =>
  ofTenants.has(table) && !named.has(table)

/** An inserted row has its tenant, and an existing one is found by a key that contains it. */
function insertInto(node: Node, scope: Scope): void {
  const table = isNode(node.relation) ? String(node.relation.relname) : ''
  if (!isOfTenants(table, scope)) return
  const columns = list(node.cols).map((one) => (isNode(one.ResTarget) ? one.ResTarget.name : ''))
  if (columns.length > 0 && !columns.includes('tenant_id')) scope.found.add(table)
  const infer = isNode(node.onConflictClause) ? node.onConflictClause.infer : undefined
  const keys = isNode(infer) ? list(infer.indexElems) : []
  const named = keys.map((one) => (isNode(one.IndexElem) ? one.IndexElem.name : ''))
  if (named.length > 0 && !named.includes('tenant_id')) scope.found.add(table)
}

/** `a`: the tenant of alias a is specified; `a=b`: both have the same tenant. The alias of an unqualified `tenant_id` is ''. */
type Facts = ReadonlySet<string>

interface Joined {
  /** Tenant tables by alias. */
  readonly aliases: ReadonlyMap<string, string>
  /** Joins by `using (tenant_id)`: what is known of one applies to all. */
  readonly isByUsing: boolean
}

/** The aliases whose tenant is specified. Those of outer queries, and of queries in `from`, are checked separately. */
function boundBy(told: Facts, { aliases, isByUsing }: Joined): ReadonlySet<string> {
  const [first, ...others] = [...aliases.keys()]
  const isAll = told.has('') && (isByUsing || others.length === 0)
  const bound = new Set(isAll && first !== undefined ? [first, ...others] : [])
  for (let before = -1; before !== bound.size; ) {
    before = bound.size
    for (const fact of told) {
      const [a = '', b] = fact.split('=')
      const isSaid = (alias: string): boolean => bound.has(alias) || !aliases.has(alias)
      if (b === undefined || isSaid(b)) bound.add(a)
      if (b !== undefined && isSaid(a)) bound.add(b)
    }
  }
  return bound
}

/** What certainly holds of tenants: for a conjunction, what any part states; for a disjunction, what all parts state. */
function factsOf(value: unknown): Facts {
  if (Array.isArray(value)) return new Set(value.flatMap((one) => [...factsOf(one)]))
  if (!isNode(value)) return new Set()
  const { BoolExpr: bool, A_Expr: compared, SubLink: link } = value
  if (isNode(bool) && bool.boolop === 'AND_EXPR') return factsOf(bool.args)
  if (isNode(bool) && bool.boolop === 'OR_EXPR') {
    const [one = new Set<string>(), ...more] = list(bool.args).map(factsOf)
    return new Set([...one].filter((fact) => more.every((other) => other.has(fact))))
  }
  if (isNode(link) && link.subLinkType === 'ANY_SUBLINK') return same(link.testexpr, null)
  if (!isNode(compared)) return new Set()
  const [operator] = list(compared.name).map((one) => (isNode(one.String) ? one.String.sval : ''))
  const isEqual = operator === '=' || compared.kind === 'AEXPR_IN' || compared.kind === 'AEXPR_OP_ANY'
  return isEqual ? same(compared.lexpr, compared.rexpr) : new Set()
}

/** What the equality of two sides, columns or rows of them, states about tenants. */
function same(left: unknown, right: unknown): Facts {
  const [ours, theirs] = [tenantsIn(left), tenantsIn(right)]
  const facts = Array.from({ length: Math.max(ours.length, theirs.length) }, (_, at) => {
    const [a, b] = [ours[at] ?? null, theirs[at] ?? null]
    return a !== null && b !== null ? `${a}=${b}` : (a ?? b)
  })
  return new Set(facts.filter((fact) => fact !== null))
}

/** For each column of one side its alias if it is the tenant, otherwise null. */
function tenantsIn(side: unknown): readonly (string | null)[] {
  if (!isNode(side)) return []
  if (isNode(side.RowExpr)) return list(side.RowExpr.args).flatMap(tenantsIn)
  if (isNode(side.TypeCast)) return tenantsIn(side.TypeCast.arg)
  if (!isNode(side.ColumnRef)) return [null]
  const names = list(side.ColumnRef.fields).map((one) => (isNode(one.String) ? String(one.String.sval) : '*'))
  return [names.at(-1) === 'tenant_id' ? (names.at(-2) ?? '') : null]
}

function rangeVars(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap(rangeVars)
  if (!isNode(value)) return []
  if (isNode(value.RangeVar)) return [value.RangeVar]
  return isNode(value.JoinExpr) ? rangeVars([value.JoinExpr.larg, value.JoinExpr.rarg]) : []
}

function joinsIn(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap(joinsIn)
  if (!isNode(value) || !isNode(value.JoinExpr)) return []
  return [value.JoinExpr, ...joinsIn([value.JoinExpr.larg, value.JoinExpr.rarg])]
}

const joinQuals = (from: unknown): readonly unknown[] => joinsIn(from).map(({ quals }) => quals)

const joinsByUsing = (from: unknown): boolean =>
  joinsIn(from).some(({ usingClause }) =>
    list(usingClause).some((one) => isNode(one.String) && one.String.sval === 'tenant_id'),
  )

const namesWith = ({ withClause }: Node): readonly string[] =>
  isNode(withClause)
    ? list(withClause.ctes).map((one) =>
        isNode(one.CommonTableExpr) ? String(one.CommonTableExpr.ctename) : '',
      )
    : []

const aliasOf = ({ relname, alias }: Node): string => String(isNode(alias) ? alias.aliasname : relname)

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const list = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
