/** Fields a stage may ask for before it is left: those that are not always there, and the amount, which may be nothing yet. */
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
