import { useRef } from 'react'
import { useText } from '../page/page-context.ts'
import { pauseOthers } from './pause-others.ts'
import { useSources } from './use-sources.ts'

interface Props {
  readonly kind: 'video' | 'audio'
  readonly sources: readonly string[]
  readonly poster?: string
  readonly onFailed: (message: string) => void
}

/** A video or sound in a text, with the browser's own controls; if a source fails the next one is tried. */
export function RichMedia({ kind, sources, poster, onFailed }: Props) {
  const t = useText()
  const media = useRef<HTMLVideoElement>(null)
  const message = t(kind === 'video' ? 'video.failed' : 'media.audioFailed')
  const { source, failed, next } = useSources(media, sources, () => onFailed(message))
  if (failed || source === undefined) return <span className="vf-media-failed">{message}</span>
  const shared = { key: source, src: source, controls: true, preload: 'metadata', onError: next } as const
  return kind === 'video' ? (
    <video
      {...shared}
      ref={media}
      key={source}
      poster={poster}
      playsInline
      onPlay={(event) => pauseOthers(event.currentTarget)}
    />
  ) : (
    <audio {...shared} key={source} ref={media} onPlay={(event) => pauseOthers(event.currentTarget)} />
  )
}
