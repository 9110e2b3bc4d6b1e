import { momentFormats, placeOf } from '../dates/moment-format.ts'
import { type Phrase, phrase, problem } from '../errors.ts'
import { type Json, numberIn } from '../json.ts'
import type { PageNode } from '../page/page.ts'
import type { PageCheck } from '../page/parse.ts'
import { joinPointer } from '../page/pointer.ts'

/**
 * Values of options that fields replace when they are drawn (a format that cannot be read back, a step of 0, reversed bounds), and default values that
 * are no dates: everything works, but not as it is written. Always warnings.
 */
export const checkValues: PageCheck = (page, placing) =>
  [...page.nodes.values()].flatMap((node) =>
    faultsOf(node).map(([name, reason]) =>
      problem(
        'OPTION_INVALID',
        placing.at(node, joinPointer('/options', name)),
        { reason: phrase('"{name}" {reason}', { name, reason }) },
        'warning',
      ),
    ),
  )

type Fault = readonly [name: string, reason: Phrase]

function faultsOf(node: PageNode): readonly Fault[] {
  const { spec, widget } = node
  const { min, max, defaultValue = null, ...others } = widget.options ?? {}
  const faults = Object.entries(others).flatMap(([name, value]): Fault[] => {
    const option = spec.options[name]
    if (isBlank(value) || option?.fits?.(value as Json) !== false) return []
    return [[name, option.type === 'number' ? ABOVE_0 : UNREADABLE]]
  })
  const isReversed = numberIn(min) > numberIn(max)
  if (isReversed && spec.bounded === undefined && 'min' in spec.options) faults.push(['min', REVERSED])
  if (spec.options.format?.fits !== undefined && !isBlank(defaultValue) && !isMoment(node, defaultValue))
    faults.push(['defaultValue', NO_DATE])
  return faults
}

const ABOVE_0 = phrase('is above 0')
const UNREADABLE = phrase('cannot be read back: the default is used')
const REVERSED = phrase('is above "max": the two are swapped')
const NO_DATE = phrase('cannot be read in the format of the field')

/** A date or time in the format of its field, two in the value of a range. A text with placeholders may become anything. */
function isMoment({ type, options }: PageNode, value: Json): boolean {
  const isRange = type.endsWith('-range')
  if (isRange !== Array.isArray(value)) return false
  const formats = momentFormats(options)
  return (isRange ? (value as readonly Json[]) : [value]).every(
    (one) =>
      isBlank(one) ||
      (typeof one === 'string' && (one.includes('{{') || !Number.isNaN(placeOf(one, formats)))),
  )
}

const isBlank = (value: Json | undefined): boolean => value === null || value === undefined || value === ''
