import { createViews, type ViewRegistry } from '../page/view-registry.ts'
import { View as button } from './button.tsx'
import { View as cellGroup } from './cell-group.tsx'
import { View as checkbox } from './checkbox.tsx'
import { View as divider } from './divider.tsx'
import { View as input } from './input.tsx'
import { View as staticText } from './static-text.tsx'
import { View as unsupported } from './unsupported.tsx'

/** The catalogue of views: what login needs at once, the rest when a page needs it. */
export function createWidgetViews(): ViewRegistry {
  const views = createViews()

  views.register('cell-group', cellGroup)
  views.register('input', input)
  views.register('checkbox', checkbox)
  views.register('static-text', staticText)
  views.register('button', button)
  views.register('divider', divider)
  views.register('unsupported', unsupported)

  views.register('grid', { load: () => import('./grid.tsx') })
  views.register('grid-col', { load: () => import('./grid-col.tsx') })
  views.register('table', { load: () => import('./table.tsx') })
  views.register('table-cell', { load: () => import('./table-cell.tsx') })
  views.register('tab', { load: () => import('./tab.tsx') })
  views.register('tab-pane', { load: () => import('./tab-pane.tsx') })
  views.register('collapse', { load: () => import('./collapse.tsx') })
  views.register('collapse-item', { load: () => import('./collapse-item.tsx') })
  views.register('sub-form', { load: () => import('./sub-form.tsx') })
  views.register('line', { load: () => import('./line.tsx') })
  views.register('choice-matrix', { load: () => import('./choice-matrix.tsx') })
  views.register('swiper', { load: () => import('./swiper.tsx') })
  views.register('swipe-action', { load: () => import('./swipe-action.tsx') })

  views.register('number', { load: () => import('./number.tsx') })
  views.register('select', { load: () => import('./select.tsx') })
  views.register('switch', { load: () => import('./switch.tsx') })
  views.register('textarea', { load: () => import('./textarea.tsx') })
  views.register('radio', { load: () => import('./radio.tsx') })
  views.register('date', { load: () => import('./date.tsx') })
  views.register('datetime', { load: () => import('./datetime.tsx') })
  views.register('stepper', { load: () => import('./stepper.tsx') })
  views.register('rate', { load: () => import('./rate.tsx') })
  views.register('slider', { load: () => import('./slider.tsx') })
  views.register('segmented-control', { load: () => import('./segmented-control.tsx') })
  views.register('reference', { load: () => import('./reference.tsx') })
  views.register('cascader', { load: () => import('./cascader.tsx') })
  views.register('data-picker', { load: () => import('./data-picker.tsx') })
  views.register('sortable-slots', { load: () => import('./sortable-slots.tsx') })
  views.register('calendar', { load: () => import('./calendar.tsx') })
  views.register('time', { load: () => import('./time.tsx') })
  views.register('date-range', { load: () => import('./date-range.tsx') })
  views.register('time-range', { load: () => import('./time-range.tsx') })
  views.register('picture-upload', { load: () => import('./picture-upload.tsx') })
  views.register('file-upload', { load: () => import('./file-upload.tsx') })
  views.register('file-picker', { load: () => import('./file-picker.tsx') })

  views.register('html-text', { load: () => import('./html-text.tsx') })
  views.register('alert', { load: () => import('./alert.tsx') })
  views.register('notice-bar', { load: () => import('./notice-bar.tsx') })
  views.register('progress', { load: () => import('./progress.tsx') })
  views.register('steps', { load: () => import('./steps.tsx') })
  views.register('video', { load: () => import('./video.tsx') })
  views.register('image', { load: () => import('./image.tsx') })
  views.register('tag', { load: () => import('./tag.tsx') })
  views.register('avatar', { load: () => import('./avatar.tsx') })
  views.register('empty', { load: () => import('./empty.tsx') })
  views.register('qr-code', { load: () => import('./qr-code.tsx') })
  views.register('slot', { load: () => import('./slot.tsx') })

  views.register('list', { load: () => import('./list.tsx') })
  views.register('data-table', { load: () => import('./data-table.tsx') })
  views.register('descriptions', { load: () => import('./descriptions.tsx') })
  views.register('timeline', { load: () => import('./timeline.tsx') })
  views.register('stat-grid', { load: () => import('./stat-grid.tsx') })
  views.register('chart', { load: () => import('./chart.tsx') })
  views.register('menu-grid', { load: () => import('./menu-grid.tsx') })
  views.register('agenda', { load: () => import('./agenda.tsx') })
  views.register('board', { load: () => import('./board.tsx') })
  views.register('stage-bar', { load: () => import('./stage-bar.tsx') })
  views.register('vform-preview', { load: () => import('./vform-preview.tsx') })
  views.register('search-bar', { load: () => import('./search-bar.tsx') })
  views.register('side-tree', { load: () => import('./side-tree.tsx') })
  views.register('quick-tabs', { load: () => import('./quick-tabs.tsx') })

  views.register('action-bar', { load: () => import('./action-bar.tsx') }, { pinned: true })
  views.register('fab', { load: () => import('./fab.tsx') }, { pinned: true })
  views.register('sheet', { load: () => import('./sheet.tsx') }, { pinned: true })
  views.register('popup', { load: () => import('./popup.tsx') }, { pinned: true })
  views.register('dialog', { load: () => import('./dialog.tsx') }, { pinned: true })
  views.register('drawer', { load: () => import('./drawer.tsx') }, { pinned: true })
  return views
}
