import type { ProblemCode } from '../../../runtime/core/errors.ts'
import type { Text } from '../../../runtime/core/ports.ts'
import { useApp } from '../app-context.ts'
import type { AuthorProblem } from '../live.ts'

interface ProblemListProps {
  readonly path: string
  readonly problems: readonly AuthorProblem[]
}

/** Faults of a page's document: file, line and column, what is wrong; below it the checker's own words, as a terminal has them. */
export default function ProblemList({ path, problems }: ProblemListProps) {
  const { text } = useApp()
  return (
    <ul className="problems">
      {problems.map((problem) => (
        <li key={`${problem.code} ${problem.at}`}>
          <code>{problem.file ?? `schemas${path}.json`}</code>
          <span>{placeOf(problem, text)}</span>
          <p>{text(`author.fault.${FAULTS[problem.code] ?? 'document'}`)}</p>
          <p className="problem-hint">
            {problem.code}: {problem.message}
            {problem.hint !== '' && ` (${problem.hint})`}
          </p>
        </li>
      ))}
    </ul>
  )
}

/** Line and column where the server has read the file, and the pointer. */
function placeOf({ line, column, at }: AuthorProblem, text: Text): string {
  const pointer = text('author.where', { at: at === '' ? '/' : at })
  return line === undefined || column === undefined
    ? pointer
    : `${text('author.place', { line, column })} · ${pointer}`
}

/** What kind of fault a code is; one that a later server knows and we do not is a fault of the document. */
const FAULTS: Readonly<Record<ProblemCode, string>> = {
  DOCUMENT_INVALID: 'document',
  DOCUMENT_TOO_LARGE: 'document',
  DOCUMENT_TOO_DEEP: 'document',
  TOO_MANY_WIDGETS: 'document',
  NAME_FORBIDDEN: 'name',
  NAME_MISSING: 'name',
  NAME_REPEATED: 'name',
  WIDGET_UNKNOWN: 'unknown',
  WORD_UNKNOWN: 'unknown',
  RULE_UNKNOWN_NAME: 'unknown',
  FILTER_UNKNOWN: 'unknown',
  DATA_SOURCE_UNKNOWN: 'unknown',
  FRAGMENT_UNKNOWN: 'unknown',
  TEXT_UNKNOWN: 'unknown',
  OPTION_INVALID: 'value',
  PATTERN_INVALID: 'value',
  RULE_INVALID: 'writing',
  TEMPLATE_INVALID: 'writing',
  ACTION_INVALID: 'writing',
  RULE_CYCLE: 'circle',
  FRAGMENT_CYCLE: 'circle',
  TEXT_MISSING: 'text',
  JSON_INVALID: 'json',
  CODE_INVALID: 'code',
}
