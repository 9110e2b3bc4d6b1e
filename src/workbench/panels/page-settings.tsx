import { useEffect, useRef, useState } from 'react'
import { PAGE_EVENTS } from '../../../runtime/core/check/known-words.ts'
import { type Json, ownValue } from '../../../runtime/core/json.ts'
import { titlePath, writtenTitle } from '../../../runtime/core/page/page-title.ts'
import { EventsEditor } from '../actions/events-editor.tsx'
import { hookWord, t, useBench, useBenchState, useEditing } from '../context.ts'
import { PAGE_CODE } from '../page-code.ts'
import { Paste } from './acts.tsx'
import { CodeBox, CssBox } from './code-box.tsx'
import { JsonEditor } from './json-editor.tsx'

const FLAGS = ['draft', 'pullDownRefresh', 'share', 'tabBar'] as const
const PARTS = ['permission', 'params'] as const

/** The settings of the page itself. */
export function PageSettings() {
  const bench = useBench()
  const { document } = useEditing()
  const config = ownValue(document, 'formConfig')
  const page = ownValue(config, 'page')
  const set = (path: readonly string[], value: Json | undefined, isTyped = false) =>
    bench.perform(
      value === undefined ? { do: 'set', path } : { do: 'set', path, value },
      isTyped ? path.join('.') : undefined,
    )
  return (
    <div className="wb-props">
      <header className="wb-props-head">
        <h2>{t('workbench.tree.page')}</h2>
        <p className="wb-quiet">{t('workbench.page.hint')}</p>
        <div className="wb-acts">
          <Paste />
        </div>
      </header>
      <details className="wb-group" open>
        <summary>{t('workbench.props.basic')}</summary>
        <div className="wb-row" data-option="page.title">
          <label htmlFor="wb-page-title">{t('workbench.page.title')}</label>
          <input
            id="wb-page-title"
            value={writtenTitle(document)}
            onChange={(event) => set(titlePath(document), event.target.value, true)}
          />
        </div>
        {FLAGS.map((name) => {
          const isOn = ownValue(page, name) === true
          return (
            <div key={name} className="wb-row wb-row-flag" data-option={`page.${name}`}>
              <label htmlFor={`wb-page-${name}`}>{t(`workbench.page.${name}`)}</label>
              <button
                id={`wb-page-${name}`}
                type="button"
                role="switch"
                aria-checked={isOn}
                className="wb-switch"
                onClick={() => set(['formConfig', 'page', name], !isOn)}
              >
                <span />
              </button>
            </div>
          )
        })}
      </details>
      <details className="wb-group">
        <summary>{t('workbench.props.more')}</summary>
        {PARTS.map((name) => (
          <div key={name} className="wb-row">
            <label htmlFor={`wb-page-${name}`}>{t(`workbench.page.${name}`)}</label>
            <JsonEditor
              id={`wb-page-${name}`}
              label={t(`workbench.page.${name}`)}
              value={ownValue(page, name) ?? null}
              onChange={(value) => set(['formConfig', 'page', name], value)}
            />
          </div>
        ))}
      </details>
      <details className="wb-group">
        <summary>{t('workbench.page.on')}</summary>
        <div className="wb-row">
          <EventsEditor
            id="wb-page-on"
            label={t('workbench.page.on')}
            events={PAGE_EVENTS}
            value={ownValue(page, 'on') ?? {}}
            onChange={(value, isTyped) => set(['formConfig', 'page', 'on'], value, isTyped)}
          />
        </div>
      </details>
      <Codes />
    </div>
  )
}

/** The code of the page; its editors are created when it is unfolded. */
function Codes() {
  const bench = useBench()
  const { document } = useEditing()
  const shown = useBenchState((state) => state.code)
  const [isOpen, setOpen] = useState(shown !== null)
  const box = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (shown === null) return
    setOpen(true)
    box.current?.querySelector(`[data-option="formConfig.${shown.name}"]`)?.scrollIntoView()
  }, [shown])
  const config = ownValue(document, 'formConfig')
  const set = (name: string, code: string) =>
    bench.perform({ do: 'set', path: ['formConfig', name], value: code }, `formConfig.${name}`)
  return (
    <details
      ref={box}
      className="wb-group"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t('workbench.page.code')}</summary>
      {isOpen &&
        PAGE_CODE.map((name) => {
          const label = hookWord(name)
          const code = String(ownValue(config, name) ?? '')
          return (
            <div key={name} className="wb-row" data-option={`formConfig.${name}`}>
              <span>{label}</span>
              {name === 'cssCode' ? (
                <CssBox label={label} code={code} onChange={(next) => set(name, next)} />
              ) : (
                <CodeBox hook={name} label={label} code={code} onChange={(next) => set(name, next)} />
              )}
            </div>
          )
        })}
    </details>
  )
}
