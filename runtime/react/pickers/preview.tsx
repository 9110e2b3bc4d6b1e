import ImageViewer from 'antd-mobile/es/components/image-viewer'
import { useEffect, useState } from 'react'
import { useText } from '../page-context.ts'

interface Props {
  readonly images: readonly string[]
  readonly at: number
  readonly onClose: () => void
}

/** Spec §9: pictures grow to four times their size. */
const ZOOM = 4

/** All pictures, full screen, from the tapped one (the first when that is unknown); a tap and Escape close it. */
export default function Preview({ images, at, onClose }: Props) {
  const t = useText()
  const [shown, setShown] = useState(Math.max(0, Math.min(images.length - 1, at)))
  useEffect(() => {
    const before = document.activeElement
    const keys = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose()
    }
    document.addEventListener('keydown', keys)
    return () => {
      document.removeEventListener('keydown', keys)
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [onClose])
  return (
    <ImageViewer.Multi
      visible
      images={[...images]}
      defaultIndex={shown}
      maxZoom={ZOOM}
      onClose={onClose}
      onIndexChange={setShown}
      renderFooter={() => (
        <span className="vf-unseen" role="status">
          {t('swiper.page', { page: shown + 1, count: images.length })}
        </span>
      )}
    />
  )
}
