import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, list, number, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Pages side by side, one visible: pictures, or each child a page. */
export const swiper: WidgetSpec = {
  type: 'swiper',
  kind: 'container',
  children: 'widgetList',
  estimatedHeight: 180,
  events: ['change', 'itemClick'],
  options: {
    ...NAMED,
    label: text('description for screen readers'),
    images: list('addresses, or [{url, alt}]; drawn instead of the children'),
    height: any('px or CSS length', 160),
    current: number('index of the visible page, from 0', 0),
    autoplay: flag('advances automatically, but not while touched nor for users who prefer reduced motion'),
    interval: number('ms between two pages', 5000),
    duration: number('ms of one transition', 500),
    circular: flag('the first page follows the last'),
    indicatorDots: flag('dots below', true),
    indicatorColor: string(),
    indicatorActiveColor: string(),
    navigation: flag('arrows at both sides'),
    radius: number('px', 0),
  },
}
