import { type RawBuilder, sql } from 'kysely'
import type { OwnNumber } from '../../../contract/home.ts'
import { holdsPermission } from '../../../contract/permission.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { during, type StatQuestion } from '../../kernel/lists/stat-rows.ts'
import { ownModules } from '../../kernel/model/own-rights.ts'
import { text } from '../../kernel/text/text.ts'
import type { WallSpan } from '../../kernel/time/period.ts'
import { isOwnVisible } from '../../kernel/visibility/own-module.ts'

/** Own modules whose new records are counted on the home page, if the caller may see them. */
export const countedModules = ({ model, caller }: CallContext): readonly MergedModule[] =>
  ownModules(model).filter(
    ({ name, tile }) => tile !== undefined && holdsPermission(caller.permissions, `${ownRights(name)}:view`),
  )

/** The module in the key of a number: its name in rights, `m.ticket`. */
export const countedModule = (key: unknown, ctx: CallContext): MergedModule | undefined =>
  countedModules(ctx).find(({ name }) => ownRights(name) === key)

/** The label of a module's tile. */
export const tileLabel = ({ tile, label }: MergedModule): string => labelText(tile?.label ?? label)

/**
 * The rows of `row` that a module's number counts, for the tile and for the list behind it: created in the period, visible to the caller, and owned
 * by (in modules without owners: created by) the requested people.
 */
export function ownRowsOf(module: MergedModule, question: StatQuestion, row: string): RawBuilder<boolean> {
  const { caller } = question.ctx
  const person = sql.ref(`${row}.${module.behaviours.includes('owned') ? 'owner_id' : 'created_by'}`)
  return sql<boolean>`(${isOwnVisible(caller, module, row)} and ${during(question, sql.ref(`${row}.created_at`))}
    and ${isAskedAbout(question, person)})`
}

function isAskedAbout({ scope, ctx: { caller } }: StatQuestion, person: RawBuilder<unknown>) {
  if (scope.kind === 'mine') return sql<boolean>`${person} = ${caller.userId}`
  if (scope.kind === 'user') return sql<boolean>`${person} = ${scope.id}`
  if (scope.kind !== 'dept') return sql<boolean>`true`
  return sql<boolean>`${person} = any(array(select m.user_id from membership m
    join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
    join department top on top.tenant_id = d.tenant_id and starts_with(d.path, top.path)
    where m.tenant_id = ${caller.tenantId} and top.id = ${scope.id}))`
}

/** New records of own modules in a period and in the previous one, as tiles. */
export async function ownNumbers(question: StatQuestion, previous: WallSpan): Promise<readonly OwnNumber[]> {
  const modules = countedModules(question.ctx)
  if (modules.length === 0) return []
  const count = (module: MergedModule, span: WallSpan) =>
    sql`(select count(*)::int from record r where ${ownRowsOf(module, { ...question, span }, 'r')})`
  const { rows } = await sql<{ numbers: readonly number[] }>`select array[${sql.join(
    modules.flatMap((module) => [count(module, question.span), count(module, previous)]),
  )}] as numbers`.execute(question.ctx.trx)
  const numbers = rows[0]?.numbers ?? []
  return modules.map((module, i) => ({
    name: ownRights(module.name),
    label: tileLabel(module),
    value: [0, numbers[2 * i] ?? 0, numbers[2 * i + 1] || null],
    compare: true,
    unit: text('home.own-unit'),
  }))
}
