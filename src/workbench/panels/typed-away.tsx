import { t, useBenchState } from '../context.ts'

/** Typed code that the page does not have is told where it is not seen. */
export function TypedAway() {
  const isThere = useBenchState(({ typed }) => typed.now !== null || typed.before !== '')
  if (!isThere) return null
  return (
    <p className="wb-broken" role="status">
      {t('workbench.typed.away')}
    </p>
  )
}
