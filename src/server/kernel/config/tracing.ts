import { allOf } from './all-of.ts'

/** Where spans are sent, over OTLP by HTTP as JSON, which every collector accepts. */
export interface TracePlace {
  /** Address of the collector, without `/v1/traces`. */
  readonly endpoint: string
  /** Fraction of requests that are traced, 0 to 1; a request with the trace of its caller follows that trace's decision. */
  readonly share: number
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Reads the settings of traces by their OpenTelemetry names: `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS` (`name=value`, separated by
 * commas), `OTEL_TRACES_SAMPLER_ARG` (the fraction of requests to trace).
 *
 * @throws Error with a sentence for the operator
 */
export function readTracing(env: Readonly<Record<string, string | undefined>>): TracePlace | null {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint) return null
  const { share } = allOf({
    endpoint: () => refuseOther(endpoint),
    share: () => shareOf(env.OTEL_TRACES_SAMPLER_ARG || '1'),
  })
  const headers = (env.OTEL_EXPORTER_OTLP_HEADERS ?? '')
    .split(',')
    .map((one) => one.trim().split('='))
    .filter(([name]) => name !== '')
    .map(([name = '', ...value]): [string, string] => [name, decodeURIComponent(value.join('='))])
  return { endpoint: endpoint.replace(/\/+$/, ''), share, headers: Object.fromEntries(headers) }
}

function refuseOther(endpoint: string): void {
  if (!URL.canParse(endpoint) || !/^https?:/.test(endpoint))
    throw new Error(`OTEL_EXPORTER_OTLP_ENDPOINT looks like http://127.0.0.1:4318, not ${endpoint}`)
}

function shareOf(text: string): number {
  const share = Number(text)
  if (text.trim() === '' || !(share >= 0 && share <= 1))
    throw new Error(`OTEL_TRACES_SAMPLER_ARG is a number from 0 to 1, not ${text}`)
  return share
}
