import { useEffect, useRef } from 'react'
import { t, wordOr } from '../context.ts'
import { TEXT_SIZES } from './large-text.ts'
import type { LookChoices } from './look.ts'

/** Selects the record, the viewer and the language with which the page is drawn. */
export function LookBar({ look }: { readonly look: LookChoices }) {
  const { names, typed, setParam, recordParam, records, roles, role, chooseRole, languages, language } = look
  const { canBeNew, recordId, isSample } = look
  const record = records.find(({ id }) => id === recordId)
  const shown = isSample ? t('workbench.look.sample') : (record?.title ?? '')
  const large = look.textSize === 1 ? '' : t('workbench.look.times', { n: look.textSize * 100 })
  const summary = [shown, role?.name ?? '', large].filter((one) => one !== '').join(' · ')
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const leave = ({ target }: PointerEvent) => {
      const { current } = details
      if (current?.open === true && !current.contains(target as Node)) current.open = false
    }
    addEventListener('pointerdown', leave, true)
    return () => removeEventListener('pointerdown', leave, true)
  }, [])
  return (
    <details
      className="wb-params"
      ref={details}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || details.current?.open !== true) return
        event.preventDefault()
        details.current.open = false
        details.current.querySelector('summary')?.focus()
      }}
    >
      <summary>{summary === '' ? t('workbench.look') : summary}</summary>
      <div>
        <label>
          <span>{t('workbench.look.data')}</span>
          <select
            value={isSample ? 'sample' : 'real'}
            onChange={(event) => look.chooseSample(event.target.value === 'sample')}
          >
            <option value="real">{t('workbench.look.real')}</option>
            <option value="sample">{t('workbench.look.sample')}</option>
          </select>
        </label>
        {!isSample && recordParam !== '' && records.length > 0 && (
          <label>
            <span>{t('workbench.look.record')}</span>
            <select value={recordId} onChange={(event) => setParam(recordParam, event.target.value)}>
              {canBeNew && <option value="">{t('workbench.look.new')}</option>}
              {record === undefined && recordId !== '' && <option value={recordId}>{recordId}</option>}
              {records.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        )}
        {roles.length > 0 && (
          <label>
            <span>{t('workbench.look.role')}</span>
            <select value={role?.id ?? ''} onChange={(event) => chooseRole(event.target.value)}>
              <option value="">{t('workbench.look.me')}</option>
              {roles.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {role !== null && <p className="wb-quiet">{t('workbench.look.roleHint')}</p>}
        {languages.length > 0 && (
          <label>
            <span>{t('workbench.look.language')}</span>
            <select value={language} onChange={(event) => look.chooseLanguage(event.target.value)}>
              <option value="">{t('workbench.look.own')}</option>
              {languages.map((one) => (
                <option key={one} value={one}>
                  {wordOr(`workbench.language.${one}`, one)}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          <span>{t('workbench.look.text')}</span>
          <select
            value={look.textSize}
            onChange={(event) =>
              look.chooseTextSize(TEXT_SIZES.find((one) => String(one) === event.target.value) ?? 1)
            }
          >
            {TEXT_SIZES.map((one) => (
              <option key={one} value={one}>
                {t('workbench.look.times', { n: one * 100 })}
              </option>
            ))}
          </select>
        </label>
        {names.map((name) => (
          <label key={`${name} ${typed[name] ?? ''}`}>
            <span>{name}</span>
            <input
              defaultValue={typed[name] ?? ''}
              onBlur={(event) =>
                event.target.value !== (typed[name] ?? '') && setParam(name, event.target.value)
              }
              onKeyDown={(event) => event.key === 'Enter' && setParam(name, event.currentTarget.value)}
            />
          </label>
        ))}
      </div>
    </details>
  )
}
