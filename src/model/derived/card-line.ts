import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { labelText } from '../labels.ts'
import { hasValueRule, placeOf, tagColour } from './parts.ts'

/** A field on a card: its label and its words, in the colour of what was chosen where that has one. @param name  of the widget */
export function cardLines(field: Field, root: string, name: string): readonly JsonObject[] {
  const text = `${labelText(field.label)} ${placeOf(field, root)}`
  const visibleOn = hasValueRule(field, root)
  if (field.kind === 'choice' && field.dict !== undefined)
    return [
      { type: 'tag', options: { name, bind: `${root}.${field.name}`, dict: field.dict, text, visibleOn } },
    ]
  const coloured =
    field.kind === 'choice' ? (field.options ?? []).filter(({ color }) => color !== undefined) : []
  const value = { var: `${root}.${field.name}` }
  const isUncoloured = coloured.map((one) => ({ '!=': [value, one.value] }))
  return [
    ...coloured.map((one, i) => ({
      type: 'tag',
      options: {
        name: `${name}_${i + 1}`,
        text,
        ...tagColour(one.color),
        visibleOn: { '==': [value, one.value] },
      },
    })),
    {
      type: 'static-text',
      options: {
        name,
        textContent: text,
        fontSize: '13px',
        tone: 'secondary',
        maxLines: 1,
        visibleOn: isUncoloured.length === 0 ? visibleOn : { and: [visibleOn, ...isUncoloured] },
      },
    },
  ]
}
