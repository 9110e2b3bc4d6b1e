import { useState } from 'react'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { Outcome } from '../../../runtime/core/ports.ts'
import { type Sent, traced } from '../canvas/traces.ts'
import { useCanvas } from '../canvas/use-drawn.ts'
import { t } from '../context.ts'

interface Tried {
  readonly sent: readonly Sent[]
  /** The final result for the page. */
  readonly outcome: Outcome<Json>
}

/** Calls the source with the current page on the canvas: shows the request, the answer, and the result of its code. */
export function TrySource({ source, name }: { readonly source: JsonObject; readonly name: string }) {
  const { drawn } = useCanvas()
  const [tried, setTried] = useState<Tried | null>(null)
  const [isAsking, setAsking] = useState(false)
  const engine = drawn?.engine
  const send = async () => {
    if (engine == null) return
    setAsking(true)
    const sent: Sent[] = []
    const keep = source.auto !== undefined || String(source.requestMethod ?? 'get').toLowerCase() === 'get'
    const outcome = await engine.request(name, {}, { keep, signal: traced((one) => sent.push(one)) })
    setAsking(false)
    setTried({ sent, outcome })
  }
  return (
    <section className="wb-try" aria-label={t('workbench.sources.try')}>
      <button type="button" className="wb-act" disabled={isAsking} onClick={() => void send()}>
        {t(isAsking ? 'workbench.sources.asking' : 'workbench.sources.try')}
      </button>
      {tried !== null && (
        <div role="status">
          {tried.sent.length === 0 && <p className="wb-quiet">{t('workbench.sources.nothingSent')}</p>}
          {tried.sent.map((one, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity but their order
            <Exchange key={i} {...one} />
          ))}
          <h4>{t('workbench.sources.result')}</h4>
          <Answer
            isOk={tried.outcome.ok}
            text={tried.outcome.ok ? printed(tried.outcome.value) : tried.outcome.error.message}
          />
        </div>
      )}
    </section>
  )
}

function Exchange({ request, answer }: Sent) {
  const { method, url, headers, body } = request
  return (
    <>
      <h4>{t('workbench.sources.request')}</h4>
      <pre className="wb-answer">
        {[
          `${method} ${url}`,
          ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
          ...(body === undefined ? [] : [printed(body)]),
        ].join('\n')}
      </pre>
      <h4>{t('workbench.sources.answer')}</h4>
      {answer === null ? (
        <p className="wb-quiet">{t('workbench.sources.notSent')}</p>
      ) : (
        <Answer
          isOk={answer.ok}
          text={answer.ok ? `${answer.value.status}\n${printed(answer.value.data)}` : answer.error.message}
        />
      )}
    </>
  )
}

const Answer = ({ isOk, text }: { readonly isOk: boolean; readonly text: string }) => (
  <pre className={isOk ? 'wb-answer' : 'wb-answer wb-error'}>{text.slice(0, MAX_LENGTH)}</pre>
)

const MAX_LENGTH = 20_000

const printed = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
