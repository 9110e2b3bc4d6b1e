import { useContext, useEffect, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { textOf } from '../../../runtime/react/page/options.ts'
import { PageVisible, useEngine } from '../../../runtime/react/page/page-context.ts'
import type { ViewProps } from '../../../runtime/react/page/view.ts'
import { Back } from '../back.tsx'
import type { Answer, Calls, Sides } from '../calls.ts'
import { t } from '../context.ts'
import { createCalls } from '../create-calls.ts'
import { SidesView } from './sides-view.tsx'
import '../workbench.css'
import './sides.css'

/** A page of a change set before and after; covers the app like the workbench, to fit two phones side by side. */
export function View({ state: { options } }: ViewProps) {
  const { ports } = useEngine()
  const calls = useMemo(() => createCalls(ports), [ports])
  const [set, path] = [textOf(options.set), textOf(options.path)]
  const answer = useSides(set, path, calls)
  const inSight = useContext(PageVisible)
  if (!inSight) return null
  return createPortal(
    <div className="wb">
      {answer?.ok ? (
        <SidesView sides={answer.value} path={path} calls={calls} />
      ) : (
        <div className="wb-waiting" role="status">
          {answer === null ? t('workbench.loading') : answer.message}
          <Back />
        </div>
      )}
    </div>,
    document.body,
  )
}

/** Null while loading. */
function useSides(set: string, path: string, calls: Calls): Answer<Sides> | null {
  const [answer, setAnswer] = useState<Answer<Sides> | null>(null)
  useEffect(() => {
    if (set === '' || path === '') return
    let isOver = false
    setAnswer(null)
    void calls.sides(set, path).then((found) => {
      if (!isOver) setAnswer(found)
    })
    return () => {
      isOver = true
    }
  }, [set, path, calls])
  return answer
}
