import { formatPhrase } from '../../../runtime/core/errors.ts'
import type { Text } from '../../../runtime/core/ports.ts'
import { useApp } from '../app-context.ts'
import type { AuthorProblem } from '../pages/live.ts'
import { inChinese } from '../words/author-words.ts'
import './problems.css'

interface ProblemListProps {
  readonly path: string
  readonly problems: readonly AuthorProblem[]
}

/** Faults of a page's document: file, line, column and message, and how to proceed. */
export default function ProblemList({ path, problems }: ProblemListProps) {
  const { text } = useApp()
  return (
    <ul className="problems">
      {problems.map((problem) => (
        <li key={`${problem.code} ${problem.at} ${problem.message}`}>
          <code>{problem.file ?? `schemas${path}.json`}</code>
          <span>
            {placeOf(problem, text)} · {problem.code}
          </span>
          <p>
            {problem.said === undefined ? problem.message : formatPhrase(problem.said.message, inChinese)}
          </p>
          <p className="problem-hint">
            {problem.said === undefined ? problem.hint : formatPhrase(problem.said.hint, inChinese)}
          </p>
        </li>
      ))}
    </ul>
  )
}

/** Line and column if the server parsed the file, and the pointer. */
function placeOf({ line, column, at }: AuthorProblem, text: Text): string {
  const pointer = text('author.where', { at: at === '' ? '/' : at })
  return line === undefined || column === undefined
    ? pointer
    : `${text('author.place', { line, column })} · ${pointer}`
}
