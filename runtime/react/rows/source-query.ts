import { answeredWords } from '../../core/data/failure-words.ts'
import type { Engine } from '../../core/engine.ts'
import type { Failure } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { AbortLike } from '../../core/ports.ts'
import { sourceQueryKey } from './query-client.ts'

/** A failed request, as react-query wants it: thrown. `failure` says what the user was told already. */
class SourceError extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Why the answer did not come, in the words of whoever answered; '' when the server was not reached. */
export function refusalIn(error: Error | null): string {
  return error instanceof SourceError ? answeredWords(error.failure) : ''
}

/** Runs a source; a failure is thrown. `signal` is react-query's: a request nobody waits for any more is called off. */
export async function askSource(
  engine: Engine,
  name: string,
  signal: AbortLike,
  variables: JsonObject = {},
): Promise<Json> {
  const outcome = await engine.request(name, variables, { signal, keep: true })
  if (!outcome.ok) throw new SourceError(outcome.error)
  return outcome.value
}

/** The question of an automatic source, as everybody who looks at its answer puts it. */
export const sourceQuery = (engine: Engine, name: string, asked: Json | null) => ({
  queryKey: sourceQueryKey(engine, name, asked),
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => askSource(engine, name, signal),
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
})
