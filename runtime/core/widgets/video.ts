import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, choice, flag, number, text } from './option-kinds.ts'
import { LIFE, NAMED } from './option-sets.ts'

/** A film with controls of its own, hidden three seconds after the last touch. */
export const video: WidgetSpec = {
  type: 'video',
  kind: 'static',
  estimatedHeight: 220,
  events: ['play', 'pause', 'ended', 'error', 'fullscreenchange', 'controlstoggle'],
  options: {
    ...NAMED,
    ...LIFE,
    label: text('what it shows; read aloud'),
    src: any('address, or a list of them: the next is tried when one fails; empty = the bound value', ''),
    poster: text('picture before it is played'),
    title: text('words at the top of the picture'),
    controls: flag('play, progress, sound, full screen', true),
    autoplay: flag('starts by itself, without sound'),
    loop: flag('starts again at the end'),
    muted: flag('without sound'),
    initialTime: number('seconds to start at', 0),
    duration: number('seconds, where the file does not say'),
    objectFit: choice(['contain', 'cover', 'fill']),
    showProgress: flag('the line that shows how far it is', true),
    showPlayBtn: flag('the small button in the bar', true),
    showCenterPlayBtn: flag('the large button in the middle', true),
    showFullscreenBtn: flag('the button for the full screen', true),
    showMuteBtn: flag('the button for the sound', true),
    enableProgressGesture: flag('drawing a finger sideways seeks', true),
    height: any('px or CSS length', 220),
  },
}
