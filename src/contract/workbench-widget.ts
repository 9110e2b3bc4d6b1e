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
