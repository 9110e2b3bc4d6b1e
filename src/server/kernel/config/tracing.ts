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
  const { share, headers } = allOf({
    endpoint: () => refuseOther(endpoint),
    share: () => shareOf(env.OTEL_TRACES_SAMPLER_ARG || '1'),
    headers: () => headersOf(env.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
  })
  return { endpoint: endpoint.replace(/\/+$/, ''), share, headers }
}

/** `name=value` with percent-encoded values. The texts may be secret: an error names the header only. */
function headersOf(list: string): Readonly<Record<string, string>> {
  const headers = list
    .split(',')
    .map((one) => one.trim().split('='))
    .filter(([name]) => name !== '')
  return Object.fromEntries(headers.map(([name = '', ...value]) => [name, decoded(name, value.join('='))]))
}

function decoded(name: string, value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new Error(`OTEL_EXPORTER_OTLP_HEADERS: the value of ${name} is percent-encoded, a % is written %25`)
  }
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
