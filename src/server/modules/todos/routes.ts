import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { TODO_TYPES, type TodoRow } from '../../../contract/todo.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { callContextOf, runRead, runStandbyRead } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { bodyOf } from '../../kernel/fields/input.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import { bad, readListRequest } from '../../kernel/lists/list-request.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { type WriteResult, writeOnce } from '../../kernel/records/write-once.ts'
import {
  deleteTodos,
  finishTodos,
  reopenTodos,
  restoreTodos,
  snoozeTodos,
  transferTodos,
} from './act-on-todos.ts'
import { countTodos } from './count.ts'
import { readTodo } from './find-todo.ts'
import { inSection, isSection, TODO_LIST } from './list-spec.ts'
import { withTargetStates } from './target-state.ts'
import { todosOfToday } from './today.ts'
import { type StoredTodo, todoRow } from './todo-row.ts'
import { createTodo, updateTodo } from './write-todo.ts'

const BY_ID = {
  querystring: {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string', minLength: 1, maxLength: 80 } },
  },
} as const

const words = { type: 'string', maxLength: 40 } as const
const COUNTED = { querystring: { type: 'object', properties: { section: words, type: words } } } as const

/** /mini/todo/… (DOMAIN 8.5). Everybody has to-dos, so no permission is needed. */
export const todoRoutes: Resource = (app, services) => {
  app.post('/mini/todo/list', (request) =>
    runStandbyRead(services, callerOf(request), (ctx) => todoList(request.body, ctx)),
  )
  app.get('/mini/todo/today', (request) => runRead(services, callerOf(request), (ctx) => todosOfToday(ctx)))
  app.get<{ Querystring: { section?: string; type?: string } }>(
    '/mini/todo/count',
    { schema: COUNTED },
    (request) =>
      runRead(services, callerOf(request), (ctx) => {
        const { section, type } = request.query
        return countTodos(ctx, {
          section: isSection(section) ? section : undefined,
          type: TODO_TYPES.find((it) => it === type),
        })
      }),
  )
  app.get<{ Querystring: { id: string } }>('/mini/todo/detail', { schema: BY_ID }, (request) =>
    runRead(services, callerOf(request), async (ctx) => {
      const found = todoRow(await readTodo(request.query.id, ctx), ctx)
      const [record = found] = await withTargetStates([found], ctx)
      return { record, actions: record.actions }
    }),
  )
  const write = (name: string, work: (body: JsonObject, ctx: CallContext) => Promise<WriteResult<Json>>) =>
    app.post(`/mini/todo/${name}`, { config: { once: true } }, (request) =>
      writeOnce(services.database, request, { action: `todo:${name}`, entity: 'todo' }, async (trx, caller) =>
        work(bodyOf(request.body), await callContextOf(services, caller, trx)),
      ),
    )
  write('create', createTodo)
  write('update', updateTodo)
  write('done', finishTodos)
  write('undo', reopenTodos)
  write('snooze', snoozeTodos)
  write('transfer', transferTodos)
  write('delete', deleteTodos)
  write('restore', restoreTodos)
}

/** A page of to-dos of a tab or a `section`; with `withCounts` also the counts of all. */
async function todoList(body: unknown, ctx: CallContext) {
  const { section, withCounts, ...rest } = isObject(body) ? body : {}
  const hasSection = section !== undefined && section !== null && section !== ''
  if (hasSection && !isSection(section)) bad('section')
  const request = readListRequest(
    section === 'done' && rest.tab === undefined ? { ...rest, tab: 'done' } : rest,
  )
  const part = isSection(section) ? { where: inSection(section, ctx), key: section } : undefined
  const answer = await openList<StoredTodo>(describedList(TODO_LIST, ctx), request, ctx, part).page((row) =>
    todoRow(row, ctx),
  )
  const list = await withTargetStates(answer.list as readonly TodoRow[], ctx)
  return { ...answer, list, ...(withCounts === true ? { counts: await countTodos(ctx) } : {}) }
}
