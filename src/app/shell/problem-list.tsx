import { useApp } from '../app-context.ts'
import type { AuthorProblem } from '../live.ts'

interface ProblemListProps {
  readonly path: string
  readonly problems: readonly AuthorProblem[]
}

/** Faults of a page's document, in the author's words: file, pointer, sentence, hint. */
export default function ProblemList({ path, problems }: ProblemListProps) {
  const { text } = useApp()
  return (
    <ul className="problems">
      {problems.map((problem) => (
        <li key={`${problem.code} ${problem.at}`}>
          <code>{problem.file ?? `schemas${path}.json`}</code>
          <span>{text('author.where', { at: problem.at === '' ? '/' : problem.at })}</span>
          <p>
            {problem.code}: {problem.message}
          </p>
          {problem.hint !== '' && <p className="problem-hint">{problem.hint}</p>}
        </li>
      ))}
    </ul>
  )
}
