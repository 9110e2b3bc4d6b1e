import { createViews, type LazyView, type ViewRegistry } from '../page/view-registry.ts'
import { View as avatar } from './avatar.tsx'
import { View as button } from './button.tsx'
import { View as cellGroup } from './cell-group.tsx'
import { View as checkbox } from './checkbox.tsx'
import { View as image } from './image.tsx'
import { View as input } from './input.tsx'
import { View as line } from './line.tsx'
import { View as staticText } from './static-text.tsx'
import { View as unsupported } from './unsupported.tsx'

/** Views that are loaded when a page needs them. */
const FETCHED: Readonly<Record<string, LazyView['load']>> = {
  grid: () => import('./grid.tsx'),
  'grid-col': () => import('./grid-col.tsx'),
  table: () => import('./table.tsx'),
  'table-cell': () => import('./table-cell.tsx'),
  tab: () => import('./tab.tsx'),
  'tab-pane': () => import('./tab-pane.tsx'),
  collapse: () => import('./collapse.tsx'),
  'collapse-item': () => import('./collapse-item.tsx'),
  'sub-form': () => import('./sub-form.tsx'),
  'choice-matrix': () => import('./choice-matrix.tsx'),
  swiper: () => import('./swiper.tsx'),
  'swipe-action': () => import('./swipe-action.tsx'),

  number: () => import('./number.tsx'),
  select: () => import('./select.tsx'),
  switch: () => import('./switch.tsx'),
  textarea: () => import('./textarea.tsx'),
  radio: () => import('./radio.tsx'),
  date: () => import('./date.tsx'),
  datetime: () => import('./datetime.tsx'),
  stepper: () => import('./stepper.tsx'),
  rate: () => import('./rate.tsx'),
  slider: () => import('./slider.tsx'),
  'segmented-control': () => import('./segmented-control.tsx'),
  reference: () => import('./reference.tsx'),
  cascader: () => import('./cascader.tsx'),
  'data-picker': () => import('./data-picker.tsx'),
  'sortable-slots': () => import('./sortable-slots.tsx'),
  calendar: () => import('./calendar.tsx'),
  time: () => import('./time.tsx'),
  'date-range': () => import('./date-range.tsx'),
  'time-range': () => import('./time-range.tsx'),
  'picture-upload': () => import('./picture-upload.tsx'),
  'file-upload': () => import('./file-upload.tsx'),
  'file-picker': () => import('./file-picker.tsx'),

  'html-text': () => import('./html-text.tsx'),
  alert: () => import('./alert.tsx'),
  'notice-bar': () => import('./notice-bar.tsx'),
  progress: () => import('./progress.tsx'),
  steps: () => import('./steps.tsx'),
  video: () => import('./video.tsx'),
  tag: () => import('./tag.tsx'),
  empty: () => import('./empty.tsx'),
  'qr-code': () => import('./qr-code.tsx'),
  divider: () => import('./divider.tsx'),
  slot: () => import('./slot.tsx'),

  list: () => import('./list.tsx'),
  'data-table': () => import('./data-table.tsx'),
  descriptions: () => import('./descriptions.tsx'),
  timeline: () => import('./timeline.tsx'),
  'stat-grid': () => import('./stat-grid.tsx'),
  chart: () => import('./chart.tsx'),
  'menu-grid': () => import('./menu-grid.tsx'),
  agenda: () => import('./agenda.tsx'),
  board: () => import('./board.tsx'),
  'stage-bar': () => import('./stage-bar.tsx'),
  'vform-preview': () => import('./vform-preview.tsx'),
  'search-bar': () => import('./search-bar.tsx'),
  'side-tree': () => import('./side-tree.tsx'),
  'quick-tabs': () => import('./quick-tabs.tsx'),
}

/** Those of them that are outside of the flow. */
const PINNED: typeof FETCHED = {
  'action-bar': () => import('./action-bar.tsx'),
  fab: () => import('./fab.tsx'),
  sheet: () => import('./sheet.tsx'),
  popup: () => import('./popup.tsx'),
  dialog: () => import('./dialog.tsx'),
  drawer: () => import('./drawer.tsx'),
}

/**
 * All views: those of the login page are included, the others are loaded when a page needs them.
 * @param fetching  around the loading of each of those
 */
export function createWidgetViews(
  fetching: <T>(load: () => Promise<T>) => Promise<T> = (load) => load(),
): ViewRegistry {
  const views = createViews()
  views.register('cell-group', cellGroup)
  views.register('input', input)
  views.register('checkbox', checkbox)
  views.register('static-text', staticText)
  views.register('button', button)
  views.register('line', line)
  views.register('avatar', avatar)
  views.register('image', image)
  views.register('unsupported', unsupported)
  for (const [type, load] of Object.entries(FETCHED)) views.register(type, { load: () => fetching(load) })
  for (const [type, load] of Object.entries(PINNED))
    views.register(type, { load: () => fetching(load) }, { pinned: true })
  return views
}
