import { sql } from 'kysely'
import type { CallContext } from '../context/call-context.ts'
import { columnNamed } from '../db/column.ts'
import type { Branches } from './branches.ts'
import { BadFilter, type FilterContext, filterCondition } from './filter-sql.ts'
import type { SortBy } from './keyset.ts'
import { bad, type ReadyListRequest } from './list-request.ts'
import type { Condition, ListSpec, Tab } from './list-spec.ts'
import { refuseUnseen } from './unseen-field.ts'

/** A part of a list: its rows, and an identity, so that a cursor of one part is not accepted by another. */
export interface Part {
  readonly where: Condition
  readonly key: string
}

/** A list request, with its list and caller. */
export interface Question {
  readonly spec: ListSpec
  readonly request: ReadyListRequest
  readonly ctx: CallContext
  readonly sorts: readonly SortBy[]
  readonly part: Part | undefined
  /** The matches of the most selective filter, if they are few: every statement is then restricted to these rows. */
  readonly rare?: readonly string[] | null
}

/** The name of the requested tab. */
export const tabNameOf = ({ spec, request }: Pick<Question, 'spec' | 'request'>): string =>
  request.tab ?? spec.defaultTab

/** @throws Refusal 400 BAD_FILTER for a tab that the list does not have */
export function tabOf({ spec, request }: Pick<Question, 'spec' | 'request'>): Tab {
  const name = tabNameOf({ spec, request })
  const tab = Object.hasOwn(spec.tabs, name) ? spec.tabs[name] : undefined
  return tab ?? bad(`unknown tab ${name}`)
}

/** All conditions on a row. */
export function conditionsOf(question: Question): readonly Condition[] {
  const { spec, part, rare } = question
  return [
    ...(rare === undefined || rare === null ? [] : [isOneOf(spec, rare)]),
    ...baseOf(question),
    ...(part === undefined ? [] : [part.where]),
    ...soughtOf(question),
  ]
}

/** The conditions on rows of branches: tab, part and filters. */
export function narrowed(question: Question, { areTab = false }: Branches): readonly Condition[] {
  const { spec } = question
  const every = () => sql<boolean>`true`
  const tabs = areTab ? { ...spec.tabs, [tabNameOf(question)]: { where: every } } : spec.tabs
  return conditionsOf({ ...question, spec: { ...spec, visible: every, tabs } })
}

function baseOf(question: Question): readonly Condition[] {
  const { spec, request, ctx } = question
  if (request.stat !== undefined) return [spec.stat?.(ctx, request.stat) ?? bad('this list has no stat')]
  const { by, where } = tabOf(question)
  if (by !== undefined) refuseUnseen(by, spec, ctx)
  return [spec.visible(ctx), where(ctx)]
}

/** The search conditions of the request: its keyword and its filters. */
export function soughtOf({ spec, request, ctx }: Question): readonly Condition[] {
  const { isHeld, ...anywhere } = contextOf(spec, ctx)
  // A record that a statistic counted may be in a pool by now.
  const context = request.stat === undefined ? { ...anywhere, isHeld } : anywhere
  return [
    ...(request.keyword === ''
      ? []
      : [spec.keyword?.(request.keyword, ctx) ?? bad('this list has no keyword')]),
    ...request.filters.map((filter) => {
      refuseUnseen(filter.field, spec, ctx)
      try {
        return filterCondition(filter, spec.filters, context)
      } catch (error) {
        if (error instanceof BadFilter) bad(error.message)
        throw error
      }
    }),
  ]
}

/** The context of a list's filters; lists of pools contain rows without an owner, all others rows with one. */
export const contextOf = (
  { row, pooled }: Pick<ListSpec, 'row' | 'pooled'>,
  { now, zone, caller }: Pick<CallContext, 'now' | 'zone' | 'caller'>,
): FilterContext => ({ row, now, zone, caller, isHeld: pooled !== true })

/** Known ids as a subquery: the planner then looks up each one instead of scanning a small table. */
export const isOneOf = ({ row }: ListSpec, ids: readonly string[]): Condition =>
  sql<boolean>`${columnNamed(`${row}.id`)} = any(array(select unnest(${[...ids]}::text[])))`
