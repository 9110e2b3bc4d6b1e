import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { useAddress } from '../page/use-address.ts'
import { safeImage } from './safe-url.ts'

interface Props {
  readonly src: string
  readonly alt: string
  readonly className?: string
  readonly style?: CSSProperties | undefined
  /** Default true: loaded only near the viewport. */
  readonly lazy?: boolean
  /** Shown if the picture fails. */
  readonly fallback?: string
  readonly onLoad?: (size: { readonly width: number; readonly height: number }) => void
  readonly onError?: () => void
}

/** Distance from the viewport at which pictures are loaded. */
const NEAR = '500px'
/** An empty picture, so that a waiting image does not look broken. */
const NOTHING = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

/** A picture that is loaded once it is within 500 px of the viewport. */
export function LazyImage({
  src,
  alt,
  className,
  style,
  lazy = true,
  fallback = '',
  onLoad,
  onError,
}: Props) {
  const image = useRef<HTMLImageElement>(null)
  const [near, setNear] = useState(!lazy)
  const [failed, setFailed] = useState('')
  useEffect(() => {
    if (near || image.current === null) return
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true)
      },
      { rootMargin: NEAR },
    )
    watch.observe(image.current)
    return () => watch.disconnect()
  }, [near])
  const address = useAddress(near ? src : '')
  const shownSource = safeImage(failed === src && fallback !== '' ? fallback : address)
  return (
    <img
      ref={image}
      className={className}
      src={near ? shownSource || undefined : NOTHING}
      alt={alt}
      style={style}
      data-near={near}
      decoding="async"
      onLoad={(event) => {
        const { naturalWidth: width, naturalHeight: height } = event.currentTarget
        if (near) onLoad?.({ width, height })
      }}
      onError={() => {
        if (!near || failed === src) return
        setFailed(src)
        onError?.()
      }}
    />
  )
}
