import type { Entry } from './catalogue-entry.ts'

const SOURCES = 'declare a data source and call executeDataSource'
const LATER = 'hooks run when something happens: use the hook of that event'
const STORE = 'use setFieldValue for what belongs to the form; the page keeps drafts by itself'
const SHARED = 'put shared code in formConfig.functions'
const ACTION = 'use an action of the page'

const CONSOLE = 'log, info, warn, error, debug: to the page’s inspector'
const SUPPORTED: readonly (readonly [string, string])[] = [
  ['console', CONSOLE],
  ['Date', 'the clock shows when the run began and stands still until the next'],
  ['Math', 'random is seeded per engine'],
]

const STAND_INS: readonly (readonly [string, string])[] = [
  ['window', 'the global object of the scripts: own names only, nothing of a browser'],
  ['self', 'the same as window'],
  ['axios', 'only URLs of declared data sources; the answer is { status, headers, data }'],
  ['fetch', 'only URLs of declared data sources; the answer has ok, status, headers.get, json(), text()'],
  ['alert', 'a toast'],
]

const REFUSED: readonly (readonly [string, string])[] = [
  ['document', 'use getWidgetRef and the widget methods'],
  ['localStorage', STORE],
  ['sessionStorage', STORE],
  ['indexedDB', STORE],
  ['location', 'use an action (on: navigate) of the page'],
  ['history', 'use an action (on: back) of the page'],
  ['navigator', ACTION],
  ['XMLHttpRequest', SOURCES],
  ['WebSocket', SOURCES],
  ['setTimeout', LATER],
  ['setInterval', LATER],
  ['clearTimeout', LATER],
  ['clearInterval', LATER],
  ['requestAnimationFrame', LATER],
  ['queueMicrotask', 'use Promise.resolve().then'],
  ['confirm', 'use this.$confirm, which answers a promise'],
  ['prompt', 'use a field'],
  ['require', SHARED],
  ['importScripts', SHARED],
  ['process', 'page scripts do not run in Node'],
  ['Intl', 'use toLocaleString, toLocaleDateString and localeCompare'],
  ['uni', ACTION],
  ['wx', ACTION],
  ['Vue', 'use the widget methods'],
  ['ElMessage', 'use this.$message'],
  ['ElMessageBox', 'use this.$confirm'],
  ['jQuery', 'use getWidgetRef and the widget methods'],
  ['dayjs', 'use Date and toLocaleDateString'],
  ['moment', 'use Date and toLocaleDateString'],
]

const entry =
  (status: Entry['status']) =>
  ([name, note]: readonly [string, string]): Entry => ({
    owner: 'global',
    name,
    params: '',
    status,
    kind: 'property',
    note,
  })

/** Names of a browser page that real code uses (HOOKS 8). The language itself (Object, JSON, Promise …) is not listed. */
export const GLOBALS: readonly Entry[] = [
  ...SUPPORTED.map(entry('supported')),
  ...STAND_INS.map(entry('stand-in')),
  ...REFUSED.map(entry('error')),
]
