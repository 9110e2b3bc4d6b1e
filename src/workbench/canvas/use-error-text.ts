import { useEffect, useState } from 'react'
import { formatPhrase, type Problem } from '../../../runtime/core/errors.ts'
import { useEngine } from '../../../runtime/react/page/page-context.ts'

/** The error in the author's language; '' without an error and until its text is loaded. */
export function useErrorText(problem: Problem | undefined): string {
  const { ports } = useEngine()
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (problem === undefined) return setSaid('')
    let isOver = false
    const say = (words: string) => {
      if (!isOver) setSaid(words)
    }
    if (ports.author === undefined) say(problem.message)
    else void ports.author().then(({ words }) => say(formatPhrase(problem.said.message, words)))
    return () => {
      isOver = true
    }
  }, [problem, ports])
  return said
}
