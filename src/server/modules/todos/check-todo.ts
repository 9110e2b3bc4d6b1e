import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { TODO_TYPES, type TodoPriority, type TodoRepeat } from '../../../contract/todo.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { InputValues } from '../../kernel/fields/input.ts'
import { checkDescribed, fieldsBut, labelOfField, writtenFields } from '../../kernel/records/described.ts'
import { pick } from '../../kernel/records/wire.ts'
import { text } from '../../kernel/text/text.ts'
import { parseDateTime, wallTimeOf } from '../../kernel/time/zone.ts'
import { anchorOf, type Due, defaultReminder, dueOnDay } from './due.ts'

const PRIORITIES: readonly TodoPriority[] = ['high', 'mid', 'low']
const REPEATS: readonly TodoRepeat[] = ['none', 'day', 'week', 'month']
const OWN_TYPES = TODO_TYPES.filter((it) => it !== 'approval')
const MAX_REMINDERS = 5
/** Fields with their own checks: a due date is a day or a moment, and the other fields control the program (DOMAIN 1.11). */
const APART = ['due_at', 'priority', 'repeat', 'type'] as const
/** Keys that are in no description: reminders, and the record that the to-do is about. */
const FURTHER_KEYS = ['remind_at', 'target_type', 'target_id'] as const

/** A checked write of a to-do; keys that were not given are absent. */
export interface TodoInput {
  readonly values: InputValues
  readonly faults: Readonly<Record<string, string>>
  readonly due?: Due
  /** Null: the default reminder. */
  readonly remindAt?: readonly Date[] | null
  readonly priority?: TodoPriority
  readonly repeat?: TodoRepeat
  readonly type?: (typeof OWN_TYPES)[number]
}

/** Checks the fields of a to-do. @param complete  title and due date are required */
export async function checkTodo(body: JsonObject, ctx: CallContext, complete: boolean): Promise<TodoInput> {
  const { zone } = ctx
  const omitted = new Set<string>([...APART, ...FURTHER_KEYS])
  const rest = pick(
    body,
    Object.keys(body).filter((name) => !omitted.has(name)),
  )
  const fields = fieldsBut(writtenFields('todo', ctx), APART)
  const { values, faults } = await checkDescribed(rest, fields, ctx, complete ? null : {})
  const labelOf = (name: string) =>
    name === 'remind_at' ? text('todo.field.remind_at') : labelOfField('todo', name, ctx)
  const due = readDue(body.due_at, zone)
  const remindAt = readReminders(body.remind_at, zone)
  const format = (name: 'due_at' | 'remind_at' | 'priority' | 'repeat' | 'type') => ({
    [name]: text('record.format', { label: labelOf(name) }),
  })
  const choice = <T extends string>(name: 'priority' | 'repeat' | 'type', all: readonly T[]) => {
    const given = body[name] ?? undefined
    const found = all.find((it) => it === given)
    return { given: found, fault: given !== undefined && found === undefined ? format(name) : {} }
  }
  const priority = choice('priority', PRIORITIES)
  const repeat = choice('repeat', REPEATS)
  const type = choice('type', OWN_TYPES)
  const isMissing = (complete || Object.hasOwn(body, 'due_at')) && (body.due_at ?? '') === ''
  return {
    values,
    faults: {
      ...faults,
      ...priority.fault,
      ...repeat.fault,
      ...type.fault,
      ...(due === 'invalid' ? format('due_at') : {}),
      ...(isMissing ? { due_at: text('record.required-choice', { label: labelOf('due_at') }) } : {}),
      ...(remindAt === 'invalid' ? format('remind_at') : {}),
    },
    ...(due === 'invalid' || due === undefined ? {} : { due }),
    ...(remindAt === 'invalid' || remindAt === undefined ? {} : { remindAt }),
    ...(priority.given === undefined ? {} : { priority: priority.given }),
    ...(repeat.given === undefined ? {} : { repeat: repeat.given }),
    ...(type.given === undefined ? {} : { type: type.given }),
  }
}

/** The reminders of a to-do: the chosen ones, or the default. */
export function remindersOf(
  due: Due,
  chosen: readonly Date[] | null | undefined,
  zone: string,
): readonly Date[] {
  return chosen ?? [defaultReminder(due, zone)]
}

/** The columns that a series keeps of its first due date: the day of the month and the time of day. */
export function seriesColumns(due: Due, zone: string) {
  const { day, timeMs } = anchorOf(due, zone)
  return { repeat_day: day, repeat_ms: timeMs }
}

/** `yyyy-MM-dd` is a whole day; with a time of day it is that moment. */
function readDue(value: Json | undefined, zone: string): Due | 'invalid' | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const at = typeof value === 'string' ? parseDateTime(value, zone) : null
  if (typeof value !== 'string' || at === null) return 'invalid'
  return value.length === 10 ? dueOnDay(wallTimeOf(at, zone), zone) : { at, allDay: false }
}

function readReminders(
  value: Json | undefined,
  zone: string,
): readonly Date[] | null | 'invalid' | undefined {
  if (value === undefined || value === null) return value
  if (!Array.isArray(value) || value.length > MAX_REMINDERS) return 'invalid'
  const moments = value.map((it) => (typeof it === 'string' ? parseDateTime(it, zone) : null))
  return moments.includes(null) ? 'invalid' : (moments as Date[])
}
