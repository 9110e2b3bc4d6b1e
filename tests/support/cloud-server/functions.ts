import { isObject, type Json, type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import { runCommand, type Tables } from './tables.ts'

/** A cloud function of the test server. */
export type CloudFunction = (args: JsonObject) => Json

/** Methods of the object `todo`, as an example of a cloud object. */
const TODO: Readonly<Record<string, (...params: readonly Json[]) => Json>> = {
  add: (title) => ({ title: title ?? null }),
  sum: (a, b) => Number(a) + Number(b),
  refuse: () => ({ errSubject: 'todo', errCode: 'todo-full', errMsg: '待办已满' }),
  expired: () => ({ errSubject: 'uni-id', errCode: 'uni-id-token-expired', errMsg: '登录已过期' }),
  login: () => ({ newToken: { token: 'a.b.c', tokenExpired: 1_900_000_000_000 } }),
}

/** What every space of the test server provides. */
export function standardFunctions(tables: Tables): Map<string, CloudFunction> {
  return new Map<string, CloudFunction>([
    ['hello', (args) => ({ greeting: `你好，${String(args.name ?? '')}` })],
    ['echo', (args) => args],
    ['todo', callTodo],
    ['DCloud-clientDB', (args) => answerDatabase(args, tables)],
  ])
}

function callTodo(args: JsonObject): Json {
  const method = Object.hasOwn(TODO, String(args.method)) ? TODO[String(args.method)] : undefined
  const params = Array.isArray(args.params) ? (args.params as readonly Json[]) : []
  return method
    ? method(...params)
    : { errCode: 'METHOD_NOT_FOUND', errMsg: `没有方法 ${String(args.method)}` }
}

function answerDatabase(args: JsonObject, tables: Tables): Json {
  const { multiCommand } = args
  if (Array.isArray(multiCommand)) {
    return {
      code: 0,
      dataList: multiCommand.map((one: Json) => runCommand(ownValue(one, 'command'), tables)),
    }
  }
  const answer = runCommand(args.command, tables)
  return isObject(answer) ? { code: 0, message: '', ...answer } : answer
}
