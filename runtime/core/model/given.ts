import type { Json, JsonObject } from '../json.ts'
import type { Scope } from '../page/scope.ts'

/** Inputs for rules that a host supplies. */
export interface GivenContext {
  readonly params?: JsonObject
  readonly user?: JsonObject
  readonly dict?: JsonObject
}

/** Inputs of rules besides the values: parameters, user, dictionaries, the page's data. */
export function createGiven(form: JsonObject, start: GivenContext) {
  let context = { params: start.params ?? {}, user: start.user ?? {}, dict: start.dict ?? {} }
  let data: JsonObject = {}
  const root: Scope = Object.freeze({
    form,
    get params() {
      return context.params
    },
    get user() {
      return context.user
    },
    get dict() {
      return context.dict
    },
    get data() {
      return data
    },
  })
  return {
    root,
    inRow: (row: JsonObject): Scope => ({ form, row, ...context, data }),
    setContext(next: Partial<typeof context>) {
      context = { ...context, ...next }
    },
    setData(name: string, value: Json) {
      data = { ...data, [name]: value }
    },
  }
}
