import { useState } from 'react'
import { useApp } from '../app-context.ts'
import type { AuthorProblem } from '../pages/live.ts'
import ProblemList from './problem-list.tsx'

const SHOWN = 3

interface AuthorBannerProps {
  readonly path: string
  readonly problems: readonly AuthorProblem[]
}

/** Tells the author that the last edit is broken, above the last good version; can be closed until the next edit. */
export default function AuthorBanner({ path, problems }: AuthorBannerProps) {
  const { text } = useApp()
  const [putAway, setPutAway] = useState<readonly AuthorProblem[] | null>(null)
  if (problems.length === 0 || putAway === problems) return null
  return (
    <aside className="author-banner" role="alert">
      <strong>{text('author.banner.title')}</strong>
      <button type="button" aria-label={text('author.close')} onClick={() => setPutAway(problems)}>
        ×
      </button>
      <ProblemList path={path} problems={problems.slice(0, SHOWN)} />
      {problems.length > SHOWN && <p>{text('author.banner.more', { count: problems.length - SHOWN })}</p>}
    </aside>
  )
}
