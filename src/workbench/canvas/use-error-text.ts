import { useEffect, useState } from 'react'
import { formatPhrase, type Problem } from '../../../runtime/core/errors.ts'
import { useEngine } from '../../../runtime/react/page/page-context.ts'

/** The error in the author's language; '' without an error and until its text is loaded. */
export function useErrorText(problem: Problem | undefined): string {
  const { ports } = useEngine()
  const [message, setMessage] = useState('')
  useEffect(() => {
    if (problem === undefined) return setMessage('')
    let isOver = false
    const show = (words: string) => {
      if (!isOver) setMessage(words)
    }
    if (ports.author === undefined) show(problem.message)
    else void ports.author().then(({ words }) => show(formatPhrase(problem.said.message, words)))
    return () => {
      isOver = true
    }
  }, [problem, ports])
  return message
}
