import { MONEY_MOST } from '../../model/kinds/number.ts'
import type { InputFields } from '../records/input.ts'

const MONEY = { kind: 'number', min: 0, max: MONEY_MOST } as const

/** Everything a user may write of an activity (DOMAIN 1.8). */
export const ACTIVITY_FIELDS = {
  name: { kind: 'text', max: 100, label: 'activity.field.name', required: true },
  type: { kind: 'dict', dict: 'activity_type', label: 'activity.field.type', required: true },
  start_at: { kind: 'moment', label: 'activity.field.start_at', required: true },
  end_at: { kind: 'moment', label: 'activity.field.end_at', required: true },
  place: { kind: 'text', max: 200, label: 'activity.field.place' },
  online_url: {
    kind: 'text',
    max: 200,
    pattern: /^https?:\/\/[^\s/.]+(?:\.[^\s/.]+)+(?:\/\S*)?$/i,
    label: 'activity.field.online_url',
  },
  lng: { kind: 'number', min: -180, max: 180, label: 'activity.field.lng' },
  lat: { kind: 'number', min: -90, max: 90, label: 'activity.field.lat' },
  cover: { kind: 'files', most: 1, label: 'activity.field.cover' },
  content: { kind: 'text', max: 20_000, label: 'activity.field.content' },
  attachments: { kind: 'files', most: 9, label: 'activity.field.attachments' },
  budget: { ...MONEY, label: 'activity.field.budget' },
  actual_cost: { ...MONEY, label: 'activity.field.actual_cost' },
  expected_count: { kind: 'number', min: 0, max: 1_000_000, label: 'activity.field.expected_count' },
  owner_id: { kind: 'ref', label: 'activity.field.owner_id' },
  member_ids: { kind: 'codes', most: 100, label: 'activity.field.member_ids' },
} as const satisfies InputFields

export const ACTIVITY_DIGITS = { budget: 2, actual_cost: 2, expected_count: 0 } as const
