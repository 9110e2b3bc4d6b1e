/** Rights to fields by entity and field, `{ customer: { level: 'read', 'ext.wechat': 'hidden' } }`; a field that is not named may be written. */
type Rights = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The same as rules read them, each part of a name a step: `user.fieldRights.customer.ext.wechat`. */
export type RightsInRules = Readonly<
  Record<string, Readonly<Record<string, string | Readonly<Record<string, string>>>>>
>

export function rightsInRules(rights: Rights): RightsInRules {
  return Object.fromEntries(
    Object.entries(rights).map(([entity, fields]) => {
      const own = Object.entries(fields).filter(([name]) => name.startsWith(OWN))
      const plain = Object.entries(fields).filter(([name]) => !name.startsWith(OWN))
      const ext = Object.fromEntries(own.map(([name, right]) => [name.slice(OWN.length), right]))
      return [entity, { ...Object.fromEntries(plain), ...(own.length === 0 ? {} : { ext }) }]
    }),
  )
}

const OWN = 'ext.'
