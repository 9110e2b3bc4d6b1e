import type { InputFields } from '../../kernel/fields/input.ts'

/** Fields of a follow-up that its author may change later (DOMAIN 1.10). */
export const FOLLOW_EDIT_FIELDS = {
  method: { kind: 'dict', dict: 'follow_method', label: 'follow.field.method', required: true },
  content: { kind: 'text', min: 2, max: 2000, label: 'follow.field.content', required: true },
  result: { kind: 'dict', dict: 'follow_result', label: 'follow.field.result' },
  followed_at: { kind: 'moment', label: 'follow.field.followed_at' },
  next_plan: { kind: 'text', max: 200, label: 'follow.field.next_plan' },
  images: { kind: 'files', most: 9, label: 'follow.field.images' },
  files: { kind: 'files', most: 9, label: 'follow.field.files' },
} as const satisfies InputFields

/** Everything a new follow-up may say. */
export const FOLLOW_FIELDS = {
  ...FOLLOW_EDIT_FIELDS,
  target_type: {
    kind: 'text',
    max: 50,
    pattern: /^(?:customer|lead|bussiness|contract|contact|m\/[a-z]\w{0,39})$/,
    label: 'follow.field.target_type',
    required: true,
  },
  target_id: { kind: 'ref', label: 'follow.field.target_id', required: true },
  contact_ids: { kind: 'codes', most: 20, label: 'follow.field.contact_ids' },
  next_follow_at: { kind: 'moment', label: 'follow.field.next_follow_at' },
  stage_change: { kind: 'json', label: 'follow.field.stage_change' },
  audio: { kind: 'files', most: 1, label: 'follow.field.audio' },
  location: { kind: 'json', label: 'follow.field.location' },
  call: { kind: 'json', label: 'follow.field.call' },
  mention_ids: { kind: 'codes', most: 20, label: 'follow.field.mention_ids' },
} as const satisfies InputFields

/** A follow-up may be dated so far into the future (clocks differ), and so far back. */
export const FUTURE_MOST_MS = 5 * 60_000
export const BACK_MOST_DAYS = 30
/** How long the author may change or delete it. */
export const AUTHOR_WINDOW_MS = 24 * 3_600_000
