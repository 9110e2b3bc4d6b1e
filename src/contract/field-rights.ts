/** Rights to fields by entity and field, `{ customer: { level: 'read', 'ext.wechat': 'hidden' }, 'm.ticket': { note: 'read' } }`; a field that is not named may be written. */
type Rights = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The same as rules read them, each part of a name a step: `user.fieldRights.customer.ext.wechat`, `user.fieldRights.m.ticket.note`. */
export interface RightsInRules {
  readonly [step: string]: string | RightsInRules
}

export function rightsInRules(rights: Rights): RightsInRules {
  const table = bare()
  for (const [entity, fields] of Object.entries(rights)) {
    const at = stepsTo(table, entity.split('.'))
    for (const [field, right] of Object.entries(fields)) {
      const steps = field.split('.')
      stepsTo(at, steps.slice(0, -1))[steps.at(-1) ?? ''] = right
    }
  }
  return table
}

interface Steps {
  [step: string]: string | Steps
}

/** A table that knows only what is written into it: a field may be called as something every object has. */
const bare = (): Steps => Object.create(null) as Steps

/** The table below these steps, made where there is none. */
const stepsTo = (table: Steps, steps: readonly string[]): Steps =>
  steps.reduce((at, step) => {
    const below = at[step]
    if (typeof below === 'object') return below
    const made = bare()
    at[step] = made
    return made
  }, table)
