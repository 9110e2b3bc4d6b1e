import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { TODO_TYPES, type TodoPriority, type TodoRepeat } from '../../../contract/todo.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { checkInput, type InputFields, type InputValues } from '../../kernel/fields/input.ts'
import { text } from '../../kernel/text/text.ts'
import { parseDateTime, wallTimeOf } from '../../kernel/time/zone.ts'
import { anchorOf, type Due, defaultReminder, dueOnDay } from './due.ts'

/** What a person writes into a to-do (DOMAIN 1.11); `due_at` and `remind_at` are read apart, as a day or a moment. */
const FIELDS: InputFields = {
  title: { kind: 'text', max: 100, label: 'todo.field.title', required: true },
  remark: { kind: 'text', max: 1000, label: 'todo.field.remark' },
  assignee_id: { kind: 'ref', label: 'todo.field.assignee_id' },
  participant_ids: { kind: 'codes', most: 20, label: 'todo.field.participant_ids' },
}
const PRIORITIES: readonly TodoPriority[] = ['high', 'mid', 'low']
const REPEATS: readonly TodoRepeat[] = ['none', 'day', 'week', 'month']
const OWN_TYPES = TODO_TYPES.filter((it) => it !== 'approval')
const REMINDERS_MOST = 5
const APART = ['due_at', 'remind_at', 'priority', 'repeat', 'type', 'target_type', 'target_id'] as const

/** A checked write of a to-do; what was not given is absent. */
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

/** Checks the fields of a to-do. @param complete  also demand title and due date */
export function checkTodo(body: JsonObject, { zone }: Asking, complete: boolean): TodoInput {
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !APART.some((it) => it === name)))
  const { values, faults } = checkInput(rest, FIELDS, zone, complete)
  const due = readDue(body.due_at, zone)
  const remindAt = readReminders(body.remind_at, zone)
  const format = (name: 'due_at' | 'remind_at' | 'priority' | 'repeat' | 'type') => ({
    [name]: text('record.format', { label: text(`todo.field.${name}`) }),
  })
  const choice = <T extends string>(name: 'priority' | 'repeat' | 'type', all: readonly T[]) => {
    const given = body[name] ?? undefined
    const found = all.find((it) => it === given)
    return { given: found, fault: given !== undefined && found === undefined ? format(name) : {} }
  }
  const priority = choice('priority', PRIORITIES)
  const repeat = choice('repeat', REPEATS)
  const type = choice('type', OWN_TYPES)
  const isMissing = complete && (body.due_at ?? '') === ''
  return {
    values,
    faults: {
      ...faults,
      ...priority.fault,
      ...repeat.fault,
      ...type.fault,
      ...(due === 'invalid' ? format('due_at') : {}),
      ...(isMissing ? { due_at: text('record.required', { label: text('todo.field.due_at') }) } : {}),
      ...(remindAt === 'invalid' ? format('remind_at') : {}),
    },
    ...(due === 'invalid' || due === undefined ? {} : { due }),
    ...(remindAt === 'invalid' || remindAt === undefined ? {} : { remindAt }),
    ...(priority.given === undefined ? {} : { priority: priority.given }),
    ...(repeat.given === undefined ? {} : { repeat: repeat.given }),
    ...(type.given === undefined ? {} : { type: type.given }),
  }
}

/** The reminders of a to-do: those chosen, or the default one. */
export function remindersOf(
  due: Due,
  chosen: readonly Date[] | null | undefined,
  zone: string,
): readonly Date[] {
  return chosen ?? [defaultReminder(due, zone)]
}

/** What a series that begins with a due date keeps, as the columns of a to-do: the day of the month and the time of day. */
export function seriesColumns(due: Due, zone: string) {
  const { day, timeMs } = anchorOf(due, zone)
  return { repeat_day: day, repeat_ms: timeMs }
}

/** `yyyy-MM-dd` is a whole day, with a time of day it is that moment. */
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
  if (!Array.isArray(value) || value.length > REMINDERS_MOST) return 'invalid'
  const moments = value.map((it) => (typeof it === 'string' ? parseDateTime(it, zone) : null))
  return moments.includes(null) ? 'invalid' : (moments as Date[])
}
