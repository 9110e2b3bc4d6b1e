/** The kind of value an action's key takes. `text` may hold places; `actions` is a list of actions. */
export type ActionValue =
  | 'text'
  | 'number'
  | 'boolean'
  | 'json'
  | 'rule'
  | 'actions'
  | 'choices'
  | 'source'
  | 'object'
  | 'query'

interface ActionSpec {
  readonly keys: Readonly<Record<string, ActionValue>>
  /** Must be there. */
  readonly required: readonly string[]
  /** Exactly one of these must be there. */
  readonly oneOf?: readonly string[]
}

const target: ActionSpec = { keys: { url: 'text', query: 'query' }, required: ['url'] }
const branches = { then: 'actions', else: 'actions' } as const
const value: ActionSpec = { keys: { value: 'text' }, required: ['value'] }
const sheet: ActionSpec = { keys: { name: 'text' }, required: ['name'] }

/** Every action of `on` lists by the name in `do` (runtime/PAGE-FORMAT.md, "Actions"); each also takes `if`. */
export const ACTIONS: Readonly<Record<string, ActionSpec>> = {
  navigate: target,
  redirect: target,
  relaunch: target,
  switchTab: target,
  back: { keys: { delta: 'number' }, required: [] },
  request: {
    keys: { dsName: 'source', with: 'object', ask: 'object', silent: 'boolean', ...branches },
    required: ['dsName'],
  },
  submit: {
    keys: {
      dsName: 'source',
      ask: 'object',
      base: 'text',
      queue: 'text',
      queueText: 'text',
      waiting: 'text',
      queued: 'actions',
      ...branches,
    },
    required: ['dsName'],
  },
  save: {
    keys: {
      dsName: 'source',
      create: 'source',
      update: 'source',
      ask: 'object',
      base: 'text',
      saved: 'text',
      queue: 'text',
      queueChanged: 'text',
      queueText: 'text',
      waiting: 'text',
      queued: 'actions',
      changed: 'actions',
      ...branches,
    },
    required: [],
  },
  validate: { keys: branches, required: [] },
  refresh: { keys: { dsName: 'source' }, required: [] },
  set: {
    keys: { field: 'text', data: 'text', fields: 'boolean', value: 'json', keep: 'boolean' },
    required: ['value'],
    oneOf: ['field', 'data', 'fields'],
  },
  toast: { keys: { text: 'text', icon: 'text', act: 'text', then: 'actions' }, required: ['text'] },
  confirm: { keys: { title: 'text', content: 'text', ...branches }, required: ['content'] },
  choose: { keys: { title: 'text', items: 'choices' }, required: ['items'] },
  dial: value,
  copy: value,
  share: { keys: { title: 'text', url: 'text' }, required: ['url'] },
  openFile: target,
  locate: { keys: { value: 'json', ...branches }, required: [] },
  openSheet: sheet,
  closeSheet: { ...sheet, required: [] },
  upload: { keys: { field: 'text' }, required: ['field'] },
  emit: { keys: { name: 'text', args: 'json' }, required: ['name'] },
  wait: { keys: { ms: 'number' }, required: ['ms'] },
  signIn: { keys: {}, required: [] },
  signOut: { keys: {}, required: [] },
  refreshUser: { keys: {}, required: [] },
  when: { keys: { if: 'rule', ...branches }, required: ['if'] },
}
