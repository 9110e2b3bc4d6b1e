import { serverMessage } from '../../core/data/failure-words.ts'
import type { Engine } from '../../core/engine.ts'
import type { Failure } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { AbortLike } from '../../core/ports.ts'
import { sourceQueryKey } from './query-client.ts'

/** A failed request, thrown for react-query. `failure` tells what the user has been told already. */
class SourceError extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** The server's text of the error; '' if it was not reached. */
export function refusalIn(error: Error | null): string {
  return error instanceof SourceError ? serverMessage(error.failure) : ''
}

/** Runs a source and throws on failure. `signal` is react-query's: it cancels a request that nothing waits for any more. */
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

/** The query of an automatic source, identical for all observers. */
export const sourceQuery = (engine: Engine, name: string, sourceKey: Json | null) => ({
  queryKey: sourceQueryKey(engine, name, sourceKey),
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => askSource(engine, name, signal),
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
})
