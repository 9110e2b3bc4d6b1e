import type { Problem } from '../errors.ts'
import type { Json } from '../json.ts'
import type { Widget } from './page.ts'
import type { ParseLimits } from './parse-limits.ts'
import type { WidgetRegistry, WidgetSpec } from './widget-spec.ts'

/** More than this many problems help nobody. */
const MOST_PROBLEMS = 200

/** A node on its way: its key is known only when all names are. */
export interface Draft {
  readonly widget: Widget
  readonly spec: WidgetSpec
  readonly name: string
  readonly field: boolean
  /** JSON pointer in the document handed in; for a widget of a fragment that of the reference. */
  readonly pointer: string
  /** The same, but different for each widget of a fragment. */
  readonly place: string
  readonly children: Draft[]
  readonly parent: Draft | null
  readonly subForm: Draft | null
  readonly template: Draft | null
}

/** The work on one document. */
export interface Build {
  readonly registry: WidgetRegistry
  readonly limits: ParseLimits
  readonly fragments: Readonly<Record<string, Json>>
  readonly version: unknown
  /** Written for us (`formConfig.page`): stricter than plain VForm, which must load whatever the world made of it. */
  readonly ours: boolean
  readonly drafts: Draft[]
  readonly problems: Problem[]
  report(problem: Problem): void
}

export function createBuild(given: Omit<Build, 'drafts' | 'problems' | 'report'>): Build {
  const problems: Problem[] = []
  return {
    ...given,
    drafts: [],
    problems,
    report: (problem) => {
      if (problems.length < MOST_PROBLEMS) problems.push(problem)
    },
  }
}
