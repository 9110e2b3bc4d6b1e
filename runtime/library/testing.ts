/** The second door of the package, for tests: does a guest's widget keep what every page relies on? */
export { type CheckOptions, checkWidget } from './check-widget.ts'
