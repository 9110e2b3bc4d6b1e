/** Fields that a stage may require before it is left: the optional ones, and the amount, which may be 0. */
export const STAGE_FIELDS = [
  'contact_ids',
  'amount',
  'source',
  'type',
  'competitor',
  'lines',
  'next_step',
  'next_follow_at',
  'remark',
  'attachments',
] as const
