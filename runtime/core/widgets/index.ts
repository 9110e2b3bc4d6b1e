import type { WidgetRegistry, WidgetSpec } from '../page/widget-spec.ts'
import { actionBar } from './action-bar.ts'
import { agenda } from './agenda.ts'
import { alert } from './alert.ts'
import { avatar } from './avatar.ts'
import { board } from './board.ts'
import { button } from './button.ts'
import { calendar } from './calendar.ts'
import { cascader } from './cascader.ts'
import { cellGroup } from './cell-group.ts'
import { chart } from './chart.ts'
import { checkbox } from './checkbox.ts'
import { choiceMatrix } from './choice-matrix.ts'
import { collapse } from './collapse.ts'
import { collapseItem } from './collapse-item.ts'
import { dataPicker } from './data-picker.ts'
import { dataTable } from './data-table.ts'
import { date } from './date.ts'
import { dateRange } from './date-range.ts'
import { datetime } from './datetime.ts'
import { descriptions } from './descriptions.ts'
import { dialog } from './dialog.ts'
import { divider } from './divider.ts'
import { drawer } from './drawer.ts'
import { empty } from './empty.ts'
import { fab } from './fab.ts'
import { filePicker } from './file-picker.ts'
import { fileUpload } from './file-upload.ts'
import { grid } from './grid.ts'
import { gridCol } from './grid-col.ts'
import { htmlText } from './html-text.ts'
import { image } from './image.ts'
import { input } from './input.ts'
import { line } from './line.ts'
import { listWidget } from './list.ts'
import { menuGrid } from './menu-grid.ts'
import { noticeBar } from './notice-bar.ts'
import { numberWidget } from './number.ts'
import { pictureUpload } from './picture-upload.ts'
import { popup } from './popup.ts'
import { progress } from './progress.ts'
import { qrCode } from './qr-code.ts'
import { quickTabs } from './quick-tabs.ts'
import { radio } from './radio.ts'
import { rate } from './rate.ts'
import { reference } from './reference.ts'
import { createWidgetRegistry } from './registry.ts'
import { searchBar } from './search-bar.ts'
import { segmentedControl } from './segmented-control.ts'
import { select } from './select.ts'
import { sheet } from './sheet.ts'
import { sideTree } from './side-tree.ts'
import { slider } from './slider.ts'
import { slot } from './slot.ts'
import { sortableSlots } from './sortable-slots.ts'
import { stageBar } from './stage-bar.ts'
import { statGrid } from './stat-grid.ts'
import { staticText } from './static-text.ts'
import { stepper } from './stepper.ts'
import { steps } from './steps.ts'
import { subForm } from './sub-form.ts'
import { swipeAction } from './swipe-action.ts'
import { swiper } from './swiper.ts'
import { switchField } from './switch.ts'
import { tab } from './tab.ts'
import { tabPane } from './tab-pane.ts'
import { table } from './table.ts'
import { tableCell } from './table-cell.ts'
import { tag } from './tag.ts'
import { textarea } from './textarea.ts'
import { time } from './time.ts'
import { timeRange } from './time-range.ts'
import { timeline } from './timeline.ts'
import { unsupported } from './unsupported.ts'
import { vformPreview } from './vform-preview.ts'
import { video } from './video.ts'

export { COMMON_OPTIONS } from './option-sets.ts'
export { createWidgetRegistry } from './registry.ts'

/** The catalogue. A new widget is a spec here and a view of the same name in `runtime/react/widgets`. */
export const CATALOGUE: Readonly<Record<string, readonly WidgetSpec[]>> = {
  containers: [
    cellGroup,
    grid,
    gridCol,
    table,
    tableCell,
    tab,
    tabPane,
    collapse,
    collapseItem,
    subForm,
    line,
    swiper,
    swipeAction,
    choiceMatrix,
  ],
  inputs: [input, textarea, numberWidget, stepper, switchField, rate, slider],
  choices: [radio, checkbox, segmentedControl, select, reference, cascader, dataPicker, sortableSlots],
  dates: [date, calendar, datetime, time, dateRange, timeRange],
  uploads: [pictureUpload, fileUpload, filePicker],
  display: [
    staticText,
    htmlText,
    button,
    divider,
    alert,
    noticeBar,
    progress,
    steps,
    image,
    video,
    tag,
    avatar,
    empty,
    qrCode,
    slot,
    unsupported,
  ],
  data: [
    listWidget,
    dataTable,
    descriptions,
    timeline,
    statGrid,
    chart,
    menuGrid,
    stageBar,
    agenda,
    board,
    vformPreview,
  ],
  finding: [searchBar, quickTabs, sideTree],
  frame: [actionBar, fab, sheet, popup, dialog, drawer],
}

/** A registry with the whole catalogue, open for more. */
export function createRegistry(): WidgetRegistry {
  const registry = createWidgetRegistry()
  for (const spec of Object.values(CATALOGUE).flat()) registry.register(spec)
  return registry
}
