import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, list, number, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Pages side by side, one in sight: pictures, or each child a page. */
export const swiper: WidgetSpec = {
  type: 'swiper',
  kind: 'container',
  children: 'widgetList',
  estimatedHeight: 180,
  events: ['change', 'itemClick'],
  options: {
    ...NAMED,
    label: text('what is shown; read aloud'),
    images: list('addresses, or [{url, alt}]; drawn instead of the children'),
    height: any('px or CSS length', 160),
    current: number('the page in sight, from 0', 0),
    autoplay: flag('goes on by itself; not while touched, and not for who wants less motion'),
    interval: number('ms between two pages', 5000),
    duration: number('ms of one turn', 500),
    circular: flag('the first follows the last'),
    indicatorDots: flag('dots below', true),
    indicatorColor: string(),
    indicatorActiveColor: string(),
    navigation: flag('arrows at both sides'),
    radius: number('px', 0),
  },
}
