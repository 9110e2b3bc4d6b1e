import type { Generated } from 'kysely'
import type { TodoPriority, TodoRepeat, TodoTarget, TodoType } from '../../../contract/todo.ts'
import type { CommonColumns } from '../../kernel/db/tables.ts'

export interface TodoTable extends CommonColumns {
  title: string | null
  type: Exclude<TodoType, 'approval'>
  target_type: TodoTarget | null
  target_id: string | null
  target_name: string | null
  due_at: Date
  all_day: Generated<boolean>
  remind_at: Generated<Date[]>
  remind_next: Generated<Date | null>
  priority: Generated<TodoPriority>
  assignee_id: string
  participant_ids: Generated<string[]>
  status: Generated<number>
  done_at: Generated<Date | null>
  done_by: Generated<string | null>
  done_note: Generated<string | null>
  repeat: Generated<TodoRepeat>
  repeat_day: Generated<number | null>
  repeat_ms: Generated<number | null>
  series_id: Generated<string | null>
  repeated: Generated<boolean>
  series_due: Generated<Date | null>
  origin: Generated<'manual' | 'follow' | 'job' | 'repeat'>
  source_key: Generated<string | null>
  remark: Generated<string | null>
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    todo: TodoTable
  }
}
