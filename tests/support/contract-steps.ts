import { parse } from 'libpg-query'

type Node = Readonly<Record<string, unknown>>

/** The schema objects of a release that its servers use. */
export interface Released {
  readonly tables: ReadonlySet<string>
  readonly functions: ReadonlySet<string>
}

/**
 * The parts of a migration that break a server of the released version while both serve: its tables, columns and functions dropped,
 * renamed or of another type, and unknown columns that must be filled.
 *
 * @returns a sentence for each
 */
export async function contractSteps(migration: string, released: Released): Promise<readonly string[]> {
  const { stmts = [] } = (await parse(migration)) as { stmts?: readonly { stmt: Node }[] }
  return stmts.flatMap(({ stmt }) => [
    ...droppedBy(stmt.DropStmt, released),
    ...renamedBy(stmt.RenameStmt, released),
    ...alteredBy(stmt.AlterTableStmt, released),
  ])
}

const DROPS: Readonly<Record<string, keyof Released>> = {
  OBJECT_TABLE: 'tables',
  OBJECT_FUNCTION: 'functions',
}

function droppedBy(drop: unknown, released: Released): readonly string[] {
  if (!isNode(drop)) return []
  const kind = DROPS[String(drop.removeType)]
  if (kind === undefined) return []
  return list(drop.objects)
    .map((one) =>
      lastName(
        isNode(one.List) ? one.List.items : isNode(one.ObjectWithArgs) ? one.ObjectWithArgs.objname : [],
      ),
    )
    .filter((name) => released[kind].has(name))
    .map((name) => `drops ${name}`)
}

function renamedBy(rename: unknown, { tables, functions }: Released): readonly string[] {
  if (!isNode(rename) || rename.renameType === 'OBJECT_INDEX' || rename.renameType === 'OBJECT_TABCONSTRAINT')
    return []
  const table = isNode(rename.relation) ? String(rename.relation.relname) : ''
  const named =
    isNode(rename.object) && isNode(rename.object.ObjectWithArgs) ? rename.object.ObjectWithArgs.objname : []
  const name = table || lastName(named)
  return tables.has(name) || functions.has(name)
    ? [`renames ${String(rename.subname || name)} of ${name}`]
    : []
}

function alteredBy(alter: unknown, { tables }: Released): readonly string[] {
  if (!isNode(alter) || !isNode(alter.relation) || !tables.has(String(alter.relation.relname))) return []
  const table = String(alter.relation.relname)
  return list(alter.cmds).flatMap(({ AlterTableCmd: command }) => {
    if (!isNode(command)) return []
    const column = `${table}.${String(command.name)}`
    if (command.subtype === 'AT_DropColumn') return [`drops ${column}`]
    if (command.subtype === 'AT_AlterColumnType') return [`makes ${column} another type`]
    if (command.subtype === 'AT_SetNotNull') return [`wants ${column} filled`]
    return command.subtype === 'AT_AddColumn' && isWanted(command.def)
      ? [`adds to ${table} a column that has to be filled`]
      : []
  })
}

/** A column that is not null and has no default. */
function isWanted(column: unknown): boolean {
  const definition = isNode(column) && isNode(column.ColumnDef) ? column.ColumnDef : {}
  const kinds = list(definition.constraints).map((one) =>
    isNode(one.Constraint) ? one.Constraint.contype : '',
  )
  const fills = ['CONSTR_DEFAULT', 'CONSTR_GENERATED', 'CONSTR_IDENTITY']
  return kinds.includes('CONSTR_NOTNULL') && !kinds.some((kind) => fills.includes(String(kind)))
}

const lastName = (names: unknown): string => {
  const last = list(names).at(-1)
  return last !== undefined && isNode(last.String) ? String(last.String.sval) : ''
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const list = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
