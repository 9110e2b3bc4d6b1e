/** Kinds of to-dos (DOMAIN 1.11). */
export const TODO_TYPES = [
  'follow',
  'first_follow',
  'approval',
  'payment',
  'contract_end',
  'recycle',
  'birthday',
  'custom',
] as const
export type TodoType = (typeof TODO_TYPES)[number]

/** Sections of the page, in its order. */
export const TODO_SECTIONS = ['overdue', 'today', 'tomorrow', 'week', 'later', 'done'] as const
export type TodoSection = (typeof TODO_SECTIONS)[number]

export type TodoPriority = 'high' | 'mid' | 'low'
export type TodoRepeat = 'none' | 'day' | 'week' | 'month'
export type TodoTarget = 'customer' | 'contact' | 'lead' | 'bussiness' | 'contract' | 'payment' | 'plan'
export type TodoAction =
  | 'done'
  | 'undo'
  | 'snooze'
  | 'transfer'
  | 'edit'
  | 'delete'
  | 'follow'
  | 'approve'
  | 'reject'

/** A row of POST /mini/todo/list. An approval is one too: its id is `approval:<id>` and it is acted on by approval/act. */
export interface TodoRow {
  readonly id: string
  readonly title: string
  readonly type: TodoType
  readonly target_type: TodoTarget | null
  readonly target_id: string | null
  readonly target_name: string | null
  readonly due_at: string
  /** The day of `due_at`, `yyyy-MM-dd`. */
  readonly due_day: string
  readonly all_day: boolean
  readonly remind_at: readonly string[]
  readonly priority: TodoPriority
  readonly assignee_id: string
  readonly assignee_name: string | null
  readonly participant_ids: readonly string[]
  /** 0 待处理, 1 已完成, 2 已取消. */
  readonly status: number
  readonly overdue: boolean
  readonly section: TodoSection
  readonly done_at: string | null
  readonly done_note: string | null
  readonly repeat: TodoRepeat
  readonly remark: string | null
  readonly approval_id: string | null
  readonly created_by: string | null
  /** Whoever wrote it down or submitted it; null for those of the jobs. */
  readonly created_by_name: string | null
  /** Yuan, of what is to be approved; null for other to-dos. */
  readonly amount: number | null
  /** The same in words, or that its reader may not see it; empty for what has none. */
  readonly amount_text: string
  readonly version: number
  /** What became of a target that is no longer with the reader: in a pool, or with a colleague; '' otherwise. */
  readonly target_note: string
  /** The target's screen; '' without a target that the reader may open. */
  readonly url: string
  readonly actions: readonly TodoAction[]
}

/** GET /mini/todo/count?section&type: what is open; `byType` of the section when one is given, `bySection` of the type. */
export interface TodoCount {
  readonly total: number
  readonly overdue: number
  readonly byType: Readonly<Record<TodoType, number>>
  readonly bySection: Readonly<Record<TodoSection, number>>
}
