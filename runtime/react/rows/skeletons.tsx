import { useText } from '../page/page-context.ts'

/** Grey placeholders while the first rows are loading. */
export function Skeletons({ count = 5, height = 88 }: { readonly count?: number; readonly height?: number }) {
  const t = useText()
  return (
    <div className="vf-skeletons" role="status" aria-label={t('list.loading')}>
      {Array.from({ length: count }, (_, i) => (
        <div key={String(i)} className="vf-card vf-skeleton" style={{ minHeight: height }} aria-hidden="true">
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  )
}
