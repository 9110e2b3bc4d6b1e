import { useState } from 'react'
import { isObject, type Json, type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import { Glyph } from '../../../runtime/react/kit/glyph.tsx'
import { useCanvas } from '../canvas/use-drawn.ts'
import { t, useBench, useEditing } from '../context.ts'
import { JsonEditor } from './json-editor.tsx'

/** The data sources of the page: what each asks, and what it is answered now. */
export function Sources() {
  const bench = useBench()
  const { document } = useEditing()
  const { happened } = useCanvas()
  const written = ownValue(ownValue(document, 'formConfig'), 'dataSources')
  const list: readonly Json[] = Array.isArray(written) ? written : []
  const say = (next: readonly Json[]) =>
    bench.perform({ do: 'set', path: ['formConfig', 'dataSources'], value: next })
  return (
    <div className="wb-sources">
      {list.map((source, index) => {
        const name = String(ownValue(source, 'uniqueName') ?? ownValue(source, 'fragment') ?? '')
        return (
          <details key={name} className="wb-group">
            <summary>
              {name}
              <small>{String(ownValue(source, 'requestMethod') ?? '')}</small>
            </summary>
            <div className="wb-pad">
              {isObject(source) && <Try source={source} name={name} />}
              <JsonEditor
                label={name}
                value={source}
                onChange={(value) => isObject(value) && say(list.with(index, value))}
              />
              <button
                type="button"
                className="wb-act wb-danger"
                onClick={() => say(list.toSpliced(index, 1))}
              >
                {t('workbench.act.remove')}
              </button>
            </div>
          </details>
        )
      })}
      <button
        type="button"
        className="wb-link wb-pad"
        onClick={() =>
          say([...list, { uniqueName: `source${list.length + 1}`, requestURL: '', requestMethod: 'get' }])
        }
      >
        <Glyph name="plus" size={12} />
        {t('workbench.sources.add')}
      </button>
      {happened.length > 0 && (
        <details className="wb-group">
          <summary>
            {t('workbench.sources.log')}
            <small>{happened.length}</small>
          </summary>
          <ul className="wb-log">
            {happened.map(({ what, detail }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what happened has no identity but its turn
              <li key={`${happened.length - i}`}>
                <b>{what}</b> <code>{detail}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

/** Asks the source with the page as it stands on the canvas; writes are not sent. */
function Try({ source, name }: { readonly source: JsonObject; readonly name: string }) {
  const { drawn } = useCanvas()
  const [answer, setAnswer] = useState<{ readonly ok: boolean; readonly text: string } | null>(null)
  const [isAsking, setAsking] = useState(false)
  const engine = drawn?.engine
  const ask = async () => {
    if (engine == null) return
    setAsking(true)
    const keep = source.auto !== undefined || String(source.requestMethod ?? 'get').toLowerCase() === 'get'
    const outcome = await engine.request(name, {}, { keep })
    setAsking(false)
    setAnswer(
      outcome.ok
        ? { ok: true, text: JSON.stringify(outcome.value, null, 2) }
        : { ok: false, text: outcome.error.message },
    )
  }
  return (
    <div className="wb-try">
      <p>
        <code>{`${String(source.requestMethod ?? 'get').toUpperCase()} ${String(source.requestURL ?? '')}`}</code>
      </p>
      <button type="button" className="wb-act" disabled={isAsking} onClick={() => void ask()}>
        {t(isAsking ? 'workbench.sources.asking' : 'workbench.sources.try')}
      </button>
      {answer !== null && (
        <pre className={answer.ok ? 'wb-answer' : 'wb-answer wb-error'}>{answer.text.slice(0, LONGEST)}</pre>
      )}
    </div>
  )
}

const LONGEST = 20_000
