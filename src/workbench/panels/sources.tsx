import { useState } from 'react'
import { isObject, type Json, ownValue } from '../../../runtime/core/json.ts'
import { Glyph } from '../../../runtime/react/kit/glyph.tsx'
import { useCanvas } from '../canvas/use-drawn.ts'
import { t, useBench, useEditing } from '../context.ts'
import { JsonBox } from './code-box.tsx'
import { Fold } from './fold.tsx'
import { SourceForm } from './source-form.tsx'
import { TrySource } from './try-source.tsx'

const PATH = ['formConfig', 'dataSources']

/** The data sources of the page: the request of each, the use of the answer, and its current answer. */
export function Sources() {
  const bench = useBench()
  const { document } = useEditing()
  const { happened } = useCanvas()
  const written = ownValue(ownValue(document, 'formConfig'), 'dataSources')
  const list: readonly Json[] = Array.isArray(written) ? written : []
  /** The newest is open, because it is filled in next. */
  const [added, setAdded] = useState(-1)
  const change = (next: readonly Json[], group?: string) =>
    bench.perform({ do: 'set', path: PATH, value: next }, group)
  const names = new Set(list.map((one) => String(ownValue(one, 'uniqueName') ?? '')))
  const add = () => {
    let n = list.length + 1
    while (names.has(`source${n}`)) n += 1
    setAdded(list.length)
    change([...list, { uniqueName: `source${n}`, requestURL: '', requestMethod: 'get' }])
  }
  return (
    <div className="wb-sources">
      {list.map((source, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its name changes while it is typed
        <details key={index} className="wb-group" open={index === added ? true : undefined}>
          <summary>
            {String(ownValue(source, 'uniqueName') ?? ownValue(source, 'fragment') ?? '')}
            <small>{String(ownValue(source, 'requestMethod') ?? '')}</small>
          </summary>
          <div className="wb-pad">
            {isObject(source) && typeof source.uniqueName === 'string' && (
              <>
                <SourceForm
                  source={source}
                  onChange={(next, key) => change(list.with(index, next), key && `source ${index} ${key}`)}
                />
                <TrySource source={source} name={source.uniqueName} />
              </>
            )}
            <Fold title={t('workbench.rule.json')}>
              {() => (
                <JsonBox
                  label={t('workbench.sources.json', { n: index + 1 })}
                  root="source"
                  value={source}
                  onChange={(value) =>
                    isObject(value) && change(list.with(index, value), `source ${index} json`)
                  }
                />
              )}
            </Fold>
            <button
              type="button"
              className="wb-act wb-danger"
              onClick={() => {
                setAdded(-1)
                change(list.toSpliced(index, 1))
              }}
            >
              {t('workbench.act.remove')}
            </button>
          </div>
        </details>
      ))}
      <button type="button" className="wb-link wb-pad" onClick={add}>
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
            {happened.map(({ event, detail }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what happened has no identity but its turn
              <li key={`${happened.length - i}`}>
                <b>{event}</b> <code>{detail}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
