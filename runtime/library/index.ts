/** The door of the package: pages in a browser, outside of the CRM. What a widget's view is made with comes from here too. */
export { type BrowserPortsOptions, browserPorts } from '../browser/browser-ports.ts'
export { uploadsOf } from '../core/engine/uploads.ts'
export type * from '../core/index.ts'
export {
  createEngine,
  createRegistry,
  judgeSubmission,
  parsePage,
  parseStrictly,
  printPage,
  RuntimeError,
} from '../core/index.ts'
export type { OptionItem, OptionSpec } from '../core/page/widget-spec.ts'
export { Field, type FieldParts, useField } from '../react/fields/field.tsx'
export { useEngine, useText } from '../react/page/page-context.ts'
export { PageView, type PageViewProps } from '../react/page/page-view.tsx'
export type { View, ViewProps } from '../react/page/view.ts'
export { createViews, type LazyView, type ViewRegistry } from '../react/page/view-registry.ts'
export { createWidgetViews } from '../react/widgets/index.ts'
export { type MountedPage, type MountOptions, mountPage, PageInvalid } from './mount-page.tsx'
