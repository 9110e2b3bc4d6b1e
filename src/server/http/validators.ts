import { AjvCompiler } from '@fastify/ajv-compiler'
import type { FastifyInstance, FastifySchema, FastifySchemaCompiler } from 'fastify'

type Compile = FastifySchemaCompiler<FastifySchema>
type Validator = ReturnType<Compile>

/** Nothing that a call sends is made something else. */
const AS_SENT = { coerceTypes: false, removeAdditional: false } as const

/**
 * What calls may send is checked by functions, each made when a call first needs it: to make those of all calls is a third of what a start
 * takes.
 */
export function addValidators(app: FastifyInstance): void {
  const compile = AjvCompiler()({}, { customOptions: AS_SENT }) as Compile
  app.setValidatorCompiler((route) => {
    let made: Validator | undefined
    const validate: Validator = (data) => {
      made ??= compile(route)
      const answer = made(data)
      validate.errors = made.errors ?? null
      return answer
    }
    return validate
  })
}
