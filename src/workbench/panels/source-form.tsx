import { useId, useState } from 'react'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import { Glyph } from '../../../runtime/react/kit/glyph.tsx'
import { hookWord, t } from '../context.ts'
import { PlaceField } from '../places/place-field.tsx'
import { RemoveButton } from '../remove-button.tsx'
import { RuleEditor } from '../rules/rule-editor.tsx'
import { CodeBox } from './code-box.tsx'
import { Fold } from './fold.tsx'

interface Props {
  readonly source: JsonObject
  /** @param key  while typing: consecutive changes of one key are undone together */
  readonly onChange: (source: JsonObject, key?: string) => void
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const LISTS = ['params', 'data', 'headers'] as const
const HANDLERS = ['configHandlerCode', 'dataHandlerCode', 'errorHandlerCode'] as const

/** The request of a source, when it is sent, and the code for request and answer. */
export function SourceForm({ source, onChange }: Props) {
  const id = useId()
  const setKey = (key: string, value: Json | undefined, isTyped = false) => {
    const { [key]: _, ...more } = source
    onChange(value === undefined ? more : { ...source, [key]: value }, isTyped ? key : undefined)
  }
  const method = String(source.requestMethod ?? 'get').toLowerCase()
  return (
    <div className="wb-source-form">
      <label htmlFor={`${id}name`}>{t('workbench.sources.name')}</label>
      <NameField
        id={`${id}name`}
        value={String(source.uniqueName ?? '')}
        onChange={(name) => setKey('uniqueName', name)}
      />
      <label htmlFor={`${id}method`}>{t('workbench.sources.method')}</label>
      <select
        id={`${id}method`}
        value={method}
        onChange={(event) => setKey('requestMethod', event.target.value)}
      >
        {[...new Set([...METHODS, method])].map((one) => (
          <option key={one} value={one}>
            {one.toUpperCase()}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}url`}>{t('workbench.sources.url')}</label>
      <PlaceField
        id={`${id}url`}
        value={String(source.requestURL ?? '')}
        placeholder={t('workbench.sources.urlPlace')}
        onChange={(url) => setKey('requestURL', url, true)}
      />
      <Automatic auto={source.auto} onChange={(auto) => setKey('auto', auto)} />
      {LISTS.map((key) => {
        const list = source[key]
        return (list === undefined && key === 'headers') || (list !== undefined && !isItems(list)) ? null : (
          <ItemsEditor
            key={key}
            title={t(`workbench.sources.${key}`)}
            list={isItems(list) ? list : []}
            onChange={(next, isTyped) => setKey(key, next.length === 0 ? undefined : next, isTyped)}
          />
        )
      })}
      <Handlers source={source} setCode={(key, code) => setKey(key, code === '' ? undefined : code, true)} />
    </div>
  )
}

/** Other parts of the page refer to the name, so it changes as a whole when the field loses focus. */
function NameField({ id, value, onChange }: { id: string; value: string; onChange: (name: string) => void }) {
  const [text, setText] = useState<string | null>(null)
  const apply = () => {
    if (text !== null && text.trim() !== '' && text !== value) onChange(text.trim())
    setText(null)
  }
  return (
    <input
      id={id}
      className="wb-code"
      spellCheck={false}
      value={text ?? value}
      onChange={(event) => setText(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  )
}

/** Loads automatically when the page opens, never, or while a rule is true. */
function Automatic({
  auto,
  onChange,
}: {
  auto: Json | undefined
  onChange: (auto: Json | undefined) => void
}) {
  const id = useId()
  const isRule = isObject(auto)
  const now = isRule ? 'rule' : auto === true ? 'yes' : 'no'
  return (
    <>
      <label htmlFor={id}>{t('workbench.sources.auto')}</label>
      <select
        id={id}
        value={now}
        onChange={({ target }) =>
          onChange(target.value === 'no' ? undefined : target.value === 'yes' ? true : { '!!': { var: '' } })
        }
      >
        {['no', 'yes', 'rule'].map((one) => (
          <option key={one} value={one}>
            {t(`workbench.sources.auto.${one}`)}
          </option>
        ))}
      </select>
      {isRule && (
        <RuleEditor
          id={`${id}rule`}
          name={t('workbench.sources.auto')}
          rule={auto}
          onChange={(rule) => onChange(rule ?? true)}
        />
      )}
    </>
  )
}

type Items = readonly (JsonObject & { readonly name: string })[]

const isItems = (list: Json | undefined): list is Items =>
  Array.isArray(list) && list.every((one: Json) => isObject(one) && typeof one.name === 'string')

interface ItemsProps {
  readonly title: string
  readonly list: Items
  readonly onChange: (list: Items, isTyped: boolean) => void
}

/** The types of values, as in VForm; a variable is a path to a value on the page. */
const TYPES = ['String', 'Number', 'Boolean', 'Variable'] as const

/** Names with their values, one per row. */
function ItemsEditor({ title, list, onChange }: ItemsProps) {
  const setValue = (index: number, key: string, value: Json, isTyped: boolean) =>
    onChange(
      list.map((one, i) => (i === index ? { ...one, [key]: value } : one)),
      isTyped,
    )
  return (
    <fieldset className="wb-items" aria-label={title}>
      <span>{title}</span>
      {list.map((one, index) => {
        const n = index + 1
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity but their place
          <div key={index}>
            <input
              className="wb-code"
              value={one.name}
              aria-label={t('workbench.sources.item.name', { n })}
              onChange={(event) => setValue(index, 'name', event.target.value, true)}
            />
            <select
              value={String(one.type ?? 'String')}
              aria-label={t('workbench.sources.item.type', { n })}
              onChange={(event) => setValue(index, 'type', event.target.value, false)}
            >
              {TYPES.map((type) => (
                <option key={type} value={type}>
                  {t(`workbench.sources.type.${type}`)}
                </option>
              ))}
            </select>
            <input
              className="wb-code"
              value={String(one.value ?? '')}
              aria-label={t('workbench.sources.item.value', { n })}
              onChange={(event) => setValue(index, 'value', event.target.value, true)}
            />
            <RemoveButton
              label={t('workbench.sources.item.remove', { n })}
              onClick={() => onChange(list.toSpliced(index, 1), false)}
            />
          </div>
        )
      })}
      <button
        type="button"
        className="wb-link"
        onClick={() => onChange([...list, { name: '', type: 'Variable', value: '' }], false)}
      >
        <Glyph name="plus" size={12} />
        {t('workbench.sources.item.add', { what: title })}
      </button>
    </fieldset>
  )
}

interface HandlerProps {
  readonly source: JsonObject
  readonly setCode: (key: string, code: string) => void
}

/** Code that changes the request, reads the answer, or handles an error; its editors are created when it is unfolded. */
function Handlers({ source, setCode }: HandlerProps) {
  const written = HANDLERS.filter((key) => typeof source[key] === 'string' && source[key] !== '')
  return (
    <Fold
      title={
        <>
          {t('workbench.sources.code')}
          {written.length > 0 && <small>{written.length}</small>}
        </>
      }
    >
      {() =>
        HANDLERS.map((key) => (
          <div key={key}>
            <span>{hookWord(key)}</span>
            <CodeBox
              hook={key}
              label={hookWord(key)}
              code={String(source[key] ?? '')}
              onChange={(code) => setCode(key, code)}
            />
          </div>
        ))
      }
    </Fold>
  )
}
