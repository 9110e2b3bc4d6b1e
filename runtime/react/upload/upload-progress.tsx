import { useText } from '../page/page-context.ts'
import '../styles/extra.css'

/** Stroke 3; at least 5 percent are drawn. */
const STROKE = 3
const MIN_PERCENT = 5

/** The progress of an upload, also as text for screen readers. */
export function UploadProgress({ name, percent }: { readonly name: string; readonly percent: number }) {
  const t = useText()
  const label = `${t('upload.loading')} ${name}`
  return (
    <span className="vf-sending">
      <small>{t('upload.loading')}</small>
      <span
        className="vf-sending-rail"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        style={{ height: STROKE }}
      >
        <i style={{ width: `${Math.max(MIN_PERCENT, percent)}%` }} />
      </span>
    </span>
  )
}
