import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, choice, flag, number, text } from './option-kinds.ts'
import { LIFE, NAMED } from './option-sets.ts'

/** A video with controls of its own, hidden three seconds after the last touch. */
export const video: WidgetSpec = {
  type: 'video',
  kind: 'static',
  estimatedHeight: 220,
  events: ['play', 'pause', 'ended', 'error', 'fullscreenchange', 'controlstoggle'],
  options: {
    ...NAMED,
    ...LIFE,
    label: text('description for screen readers'),
    src: any('address, or a list of them: the next is tried when one fails; empty = the bound value', ''),
    poster: text('picture shown before playback'),
    title: text('text at the top of the picture'),
    controls: flag('play, progress, sound, full screen', true),
    autoplay: flag('starts automatically, muted'),
    loop: flag('starts again at the end'),
    muted: flag('without sound'),
    initialTime: number('seconds to start at', 0),
    duration: number('seconds, if the file does not specify it'),
    objectFit: choice(['contain', 'cover', 'fill']),
    showProgress: flag('the progress bar', true),
    showPlayBtn: flag('the small play button in the bar', true),
    showCenterPlayBtn: flag('the large play button in the middle', true),
    showFullscreenBtn: flag('the full-screen button', true),
    showMuteBtn: flag('the mute button', true),
    enableProgressGesture: flag('dragging sideways seeks', true),
    height: any('px or CSS length', 220),
  },
}
