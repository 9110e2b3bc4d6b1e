import { useEffect, useRef } from 'react'
import { useText } from '../page/page-context.ts'
import { usePrinting } from './use-printing.ts'
import type { Rows } from './use-rows.ts'

interface Props {
  readonly rows: Rows
  readonly end: string
}

/** Distance in px from the end at which the next page is loaded. */
const AHEAD_PX = 600

/** The foot of a list: loads the next page when it is near, and shows that it is loading, failed, or complete. Paper says how many rows are on it if there are more. */
export function RowsEnd({ rows, end }: Props) {
  const t = useText()
  const printing = usePrinting()
  const foot = useRef<HTMLDivElement>(null)
  const { hasMore, moreFailed, refreshing, loadMore } = rows
  useEffect(() => {
    const element = foot.current
    // While the first rows are read again, a request for more would be ignored.
    if (element === null || !hasMore || moreFailed || refreshing) return
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some((entry) => entry.isIntersecting)) loadMore()
      },
      { rootMargin: `${AHEAD_PX}px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [hasMore, moreFailed, refreshing, loadMore])
  return (
    <div ref={foot} className="vf-rows-end" aria-live="polite">
      {!hasMore ? (
        end || t('list.end')
      ) : printing ? (
        t('list.printed', { n: rows.rows.length })
      ) : moreFailed ? (
        <button type="button" className="vf-button vf-text vf-small" onClick={loadMore}>
          {t('list.more.failed')}
        </button>
      ) : (
        t('list.more')
      )}
    </div>
  )
}
