/**
 * The workbench as a widget of a page: the client draws it by `src/workbench`, the server knows its facts when it checks the page. Not in the
 * runtime's catalogue, for it is a guest there.
 */
export const WORKBENCH = {
  type: 'workbench',
  kind: 'page',
  estimatedHeight: 600,
  events: [],
  options: {
    name: { type: 'string', default: '', doc: 'identity' },
    path: { type: 'text', default: '', doc: 'path of the page that is worked on' },
  },
} as const

/** A page of a change set as it is and as it becomes, side by side: for whoever is to approve it. */
export const PAGE_SIDES = {
  type: 'page-sides',
  kind: 'page',
  estimatedHeight: 600,
  events: [],
  options: {
    name: { type: 'string', default: '', doc: 'identity' },
    set: { type: 'text', default: '', doc: 'id of the change set' },
    path: { type: 'text', default: '', doc: 'path of the page in it' },
  },
} as const

/** The text of a page to play with, and a link that passes it on: for anybody, without a session. */
export const PLAYGROUND = {
  type: 'playground',
  kind: 'container',
  children: 'widgetList',
  estimatedHeight: 400,
  events: [],
  options: {
    name: { type: 'string', default: '', doc: 'identity' },
    label: { type: 'text', default: '', doc: 'title' },
    link: { type: 'text', default: '', doc: 'the part of a link that holds a page; empty = none' },
    page: { type: 'text', default: '', doc: 'path of the sample to begin with; empty = the first' },
    samples: { type: 'array', default: null, doc: 'pages to begin with, open to anybody: [{label, path}]' },
    to: { type: 'string', default: '', doc: 'entry of `data` that holds the text' },
  },
} as const

/** Widgets that the app brings to the runtime's own. */
export const GUESTS = [WORKBENCH, PAGE_SIDES, PLAYGROUND] as const
