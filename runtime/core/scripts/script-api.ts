import { CONTAINER } from './container-powers.ts'
import { FIELD } from './field-powers.ts'
import { FORM } from './form-powers.ts'
import { FORMAT_POWERS } from './format-powers.ts'
import { PAGE_POWERS } from './page-powers.ts'
import type { Power, Powers } from './power.ts'
import { ROW_POWERS, SUB_FORM } from './sub-form-powers.ts'
import { WIDGET_POWERS } from './widget-powers.ts'

const owned = (owner: string, methods: Powers): readonly (readonly [string, Power])[] =>
  Object.entries(methods).map(([name, power]) => [`${owner}.${name}`, power] as const)

/**
 * Everything a page script can access, by name: nothing else is reachable (HOOKS 1.1). `form.*`, `field.*`, `subForm.*` and `container.*` become
 * methods of the guest's references under the same name; the others serve those methods. The time is set for each run (it does not advance within
 * it), randomness is a seed at the start; network access exists only as the requests `executeDataSource` and `callUrl`, which the page runs for
 * declared data sources; there is no storage, no DOM, no timer. Effects (carried out by the page): toast, focus, blur, emit, log, widgetNotFound,
 * notSubForm, rowsReplaced, rowAdded, reloadOptions. Requests (awaited by the script): executeDataSource, callUrl, validate, validateField,
 * confirmRowDelete, confirm, alert.
 */
export const POWERS: ReadonlyMap<string, Power> = new Map([
  ...owned('form', FORM),
  ...owned('field', FIELD),
  ...owned('subForm', SUB_FORM),
  ...owned('container', CONTAINER),
  ...Object.entries(WIDGET_POWERS),
  ...Object.entries(ROW_POWERS),
  ...Object.entries(PAGE_POWERS),
  ...Object.entries(FORMAT_POWERS),
])
