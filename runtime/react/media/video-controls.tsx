import type { JsonObject } from '../../core/json.ts'
import type { Text } from '../../core/ports.ts'
import { MoreGlyph } from '../kit/more-glyphs.tsx'
import { textOf } from '../page/options.ts'

interface Props {
  readonly options: JsonObject
  readonly t: Text
  /** False: hidden while the video plays. */
  readonly shown: boolean
  readonly playing: boolean
  readonly muted: boolean
  readonly full: boolean
  readonly now: number
  readonly length: number
  readonly onToggle: () => void
  readonly onSeek: (to: number) => void
  readonly onMute: () => void
  readonly onFull: () => void
}

/** Title, central button, and the bar with the buttons that the author has not switched off. */
export function VideoControls(props: Props) {
  const { options, t, shown, playing, muted, full, now, length, onToggle, onSeek, onMute, onFull } = props
  return (
    <div className={`vf-video-controls${shown ? '' : ' vf-away'}`}>
      {options.title ? <div className="vf-video-title">{textOf(options.title)}</div> : null}
      {!playing && options.showCenterPlayBtn !== false ? (
        <button type="button" className="vf-video-big" aria-label={t('video.play')} onClick={onToggle}>
          <MoreGlyph name="play" size={28} />
        </button>
      ) : null}
      <div className="vf-video-bar">
        {options.showPlayBtn === false ? null : (
          <button type="button" aria-label={t(playing ? 'video.pause' : 'video.play')} onClick={onToggle}>
            <MoreGlyph name={playing ? 'pause' : 'play'} size={20} />
          </button>
        )}
        {options.showProgress === false ? null : (
          <>
            <span>{clockText(now)}</span>
            <input
              type="range"
              aria-label={t('video.seek')}
              aria-valuetext={clockText(now)}
              min={0}
              max={Math.max(1, length)}
              step={0.1}
              value={now}
              onChange={(event) => onSeek(Number(event.target.value))}
            />
            <span>{clockText(length)}</span>
          </>
        )}
        {options.showMuteBtn === false ? null : (
          <button
            type="button"
            aria-label={t(muted ? 'video.unmute' : 'video.mute')}
            aria-pressed={muted}
            onClick={onMute}
          >
            <MoreGlyph name={muted ? 'mute' : 'sound'} size={20} />
          </button>
        )}
        {options.showFullscreenBtn === false ? null : (
          <button type="button" aria-label={t(full ? 'video.exitFull' : 'video.full')} onClick={onFull}>
            <MoreGlyph name="full" size={20} />
          </button>
        )}
      </div>
    </div>
  )
}

/** 1:05 */
function clockText(seconds: number): string {
  const total = Math.floor(Number.isFinite(seconds) ? seconds : 0)
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, '0')}`
}
