import { type RawBuilder, sql } from 'kysely'
import type { TodoPriority, TodoTarget, TodoType } from '../../../contract/todo.ts'
import type { JobRun } from '../../kernel/context/job.ts'
import { notifyPeople } from '../../kernel/live/notify.ts'

/** To-dos of one kind, derived from records. */
export interface TodoPlan {
  readonly type: Exclude<TodoType, 'approval'>
  readonly target: TodoTarget
  readonly priority?: TodoPriority
  /** Rows `assignee_id, target_id, target_name, at` (null: the whole day), `day` (a date), `parent_id`. */
  readonly rows: RawBuilder<unknown>
}

/**
 * Creates the missing to-dos of a plan. One that was done, moved or deleted is not created again, because its
 * key — assignee, type, target, day — is taken (DOMAIN 1.11).
 *
 * @returns how many were created
 */
export async function planTodos(
  { type, target, priority = 'mid', rows }: TodoPlan,
  run: JobRun,
): Promise<number> {
  const { trx, tenantId, now, zone } = run
  const created = await sql<{ assignee_id: string }>`
    insert into todo (tenant_id, id, type, target_type, target_id, target_name, due_at, all_day, remind_at, remind_next,
      priority, assignee_id, origin, source_key, created_at, updated_at, ext)
    select ${tenantId}, 'j-' || md5(k.key), ${type}, ${target}, p.target_id, left(p.target_name, 200), k.due, p.at is null,
      array[k.remind], case when k.remind > ${now} then k.remind end, ${priority}, p.assignee_id, 'job', k.key, ${now}, ${now},
      case when p.parent_id is null then '{}'::jsonb else jsonb_build_object('contract_id', p.parent_id) end
    from (${rows}) p join membership m on m.tenant_id = ${tenantId} and m.user_id = p.assignee_id and m.status <> 'left',
      lateral (select p.assignee_id || '/' || ${type}::text || '/' || ${target}::text || '/' || p.target_id || '/' || p.day as key,
        coalesce(p.at, ((p.day + 1)::timestamp at time zone ${zone}) - interval '1 millisecond') as due,
        case when p.at is null then (p.day + time '09:00') at time zone ${zone} else p.at - interval '15 minutes' end as remind) k
    on conflict do nothing returning assignee_id`.execute(trx)
  await notifyPeople(
    trx,
    tenantId,
    created.rows.map((row) => row.assignee_id),
    { kind: 'todo' },
  )
  return created.rows.length
}
