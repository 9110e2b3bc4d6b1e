import type { Problem } from '../errors.ts'
import type { Json } from '../json.ts'
import type { Widget } from './page.ts'
import type { ParseLimits } from './parse-limits.ts'
import type { WidgetRegistry, WidgetSpec } from './widget-spec.ts'

/** Maximum problems reported: more are of no use. */
const MAX_PROBLEMS = 200

/** A node under construction: its key is known only once all names are. */
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

/** State of the work on one document. */
export interface Build {
  readonly registry: WidgetRegistry
  readonly limits: ParseLimits
  readonly fragments: Readonly<Record<string, Json>>
  readonly version: unknown
  /** Written for us (`formConfig.page`): checked more strictly than plain VForm, which must load whatever it contains. */
  readonly ours: boolean
  readonly nearest: (type: string, registry: WidgetRegistry, generous: boolean) => string | null
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
      if (problems.length < MAX_PROBLEMS) problems.push(problem)
    },
  }
}
