import { type Json, ownValue } from '../../../runtime/core/json.ts'
import { t, useBench, useEditing } from '../context.ts'
import { Paste } from './acts.tsx'
import { JsonEditor } from './json-editor.tsx'

/** Settings of the page that are one line each. */
const LINES = ['title'] as const
const FLAGS = ['draft', 'pullDownRefresh', 'share', 'tabBar'] as const
const PARTS = ['permission', 'params', 'on'] as const
const CODES = [
  'onFormCreated',
  'onFormMounted',
  'onFormDataChange',
  'onFormValidate',
  'functions',
  'cssCode',
] as const

/** What can be said of the page itself. */
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
        {LINES.map((name) => (
          <div key={name} className="wb-row" data-option={`page.${name}`}>
            <label htmlFor={`wb-page-${name}`}>{t(`workbench.page.${name}`)}</label>
            <input
              id={`wb-page-${name}`}
              value={String(ownValue(page, name) ?? '')}
              onChange={(event) => set(['formConfig', 'page', name], event.target.value, true)}
            />
          </div>
        ))}
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
        <summary>{t('workbench.page.code')}</summary>
        {CODES.map((name) => {
          const text = String(ownValue(config, name) ?? '')
          return (
            <div key={name} className="wb-row">
              <label htmlFor={`wb-page-${name}`}>{name}</label>
              <textarea
                id={`wb-page-${name}`}
                className="wb-code"
                rows={Math.min(14, Math.max(2, text.split('\n').length))}
                spellCheck={false}
                value={text}
                onChange={(event) => set(['formConfig', name], event.target.value, true)}
              />
            </div>
          )
        })}
      </details>
    </div>
  )
}
