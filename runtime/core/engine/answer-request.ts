import { isObject, type Json } from '../json.ts'
import type { Model } from '../model/model.ts'
import { namedKeys } from '../model/named-keys.ts'
import type { Ports } from '../ports.ts'
import type { FieldActs } from './field-acts.ts'
import { confirmRemove } from './row-acts.ts'
import type { Sources } from './sources.ts'

interface Parts {
  readonly model: Model
  readonly fields: FieldActs
  readonly sources: Sources
  readonly ports: Ports
}

type Answer<P> = (args: readonly Json[], parts: P) => Promise<Json>

/** Those that only need the data sources, both for an open page and for judging a submission. */
export const SOURCE_ANSWERS: Readonly<Record<string, Answer<Sources>>> = {
  executeDataSource: async ([name, variables], sources) => {
    const answer = await sources.request(String(name), isObject(variables) ? variables : {}, { tell: true })
    if (!answer.ok) throw new Error(answer.error.message)
    return answer.value
  },
  callUrl: async ([as, url, method, query, body], sources) => {
    const answer = await sources.call({
      url: String(url),
      method: String(method),
      query: isObject(query) ? query : {},
      ...(body === null || body === undefined ? {} : { body }),
    })
    if (answer === undefined)
      throw new Error(
        `${String(as)}: no data source of this page is declared for ${String(method).toUpperCase()} ${String(url)}: declare one in formConfig.dataSources and call executeDataSource`,
      )
    if (!answer.ok) throw new Error(answer.error.message)
    return { status: answer.value.status, headers: { ...answer.value.headers }, data: answer.value.data }
  },
}

/** Requests that a script may make of the page and await; the names are granted in `hooks/script-api.ts`. A rejection reaches it as an error. */
const ANSWERS: Readonly<Record<string, Answer<Parts>>> = {
  ...Object.fromEntries(
    Object.entries(SOURCE_ANSWERS).map(([name, answer]) => [
      name,
      (args, { sources }) => answer(args, sources),
    ]),
  ),
  validate: async (_, { fields, ports }) => {
    const [first] = await fields.checkAll()
    const message = first?.key === '' ? first.message : ports.text('form.invalid')
    return { valid: first === undefined, message }
  },
  validateField: async ([name], { fields, model }) => {
    const keys = namedKeys(model, String(name)).filter((key) => model.fieldKeys().includes(key))
    const messages = await Promise.all(keys.map(fields.check))
    const message = messages.find((each) => each !== null) ?? ''
    return { valid: message === '', message }
  },
  confirmRowDelete: (_, { ports }) => confirmRemove(ports),
  confirm: async ([content, title], { ports }) =>
    (await ports.feedback.modal({ content: String(content), ...titled(title) })).confirm,
  alert: async ([content, title], { ports }) =>
    (await ports.feedback.modal({ content: String(content), showCancel: false, ...titled(title) })).confirm,
}

const titled = (title: Json | undefined) => (typeof title === 'string' ? { title } : {})

/** Answers a script's requests; an unknown name is refused. */
export function requestAnswerer(parts: Parts): (name: string, args: readonly Json[]) => Promise<Json> {
  return async (name, args) => {
    const answer = Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined
    if (!answer) throw new Error(`no request is called "${name}"`)
    return answer(args, parts)
  }
}
