import { type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { applyEdit } from '../../../runtime/core/edit/apply-edit.ts'
import type { Edit } from '../../../runtime/core/edit/edit.ts'
import { type Item, itemsOf } from '../../../runtime/core/edit/entries.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import { isCodeKey } from '../../../runtime/core/page/has-code.ts'
import type { PageNode } from '../../../runtime/core/page/page.ts'
import { Glyph } from '../../../runtime/react/kit/glyph.tsx'
import { mainNode, nodesOf } from '../canvas/draw.ts'
import { isReference } from '../canvas/resolve-page.ts'
import { useCanvas } from '../canvas/use-drawn.ts'
import { hookWord, t, useBench, useBenchState, useEditing, wordOr } from '../context.ts'
import { Acts } from './acts.tsx'
import { JsonBox } from './code-box.tsx'
import { JsonEditor } from './json-editor.tsx'
import { OptionEditor } from './option-editor.tsx'
import { type GroupName, groupedOptions, type Option } from './option-groups.ts'
import { PageSettings } from './page-settings.tsx'
import { useTitles } from './titles.ts'
import { kindName } from './tree.tsx'
import { Why } from './why.tsx'

/** The properties of the selected item; of the page if none is selected. */
export function Properties() {
  const { document, selected } = useEditing()
  const also = useBenchState((state) => state.also)
  const item = selected === null ? undefined : itemsOf(document).get(selected)
  if (item !== undefined && also.length > 0) return <Several keys={[item.key, ...also]} />
  return item === undefined ? <PageSettings /> : <ItemProperties key={item.key} item={item} />
}

/** The common properties of several items. */
function Several({ keys }: { readonly keys: readonly string[] }) {
  const { document } = useEditing()
  const title = useTitles()
  const items = itemsOf(document)
  return (
    <div className="wb-props">
      <header className="wb-props-head">
        <h2>{t('workbench.several', { n: keys.length })}</h2>
        <Acts />
      </header>
      <ul className="wb-pad">
        {keys.map((key) => {
          const item = items.get(key)
          return item && <li key={key}>{title(item)}</li>
        })}
      </ul>
    </div>
  )
}

function ItemProperties({ item }: { readonly item: Item }) {
  const { drawn, runs } = useCanvas()
  const title = useTitles()
  const nodes = useMemo(() => (drawn === null ? [] : nodesOf(drawn, item.key)), [drawn, item.key])
  const node = mainNode(nodes, item.name)
  const isFragment = isReference(item.written) && typeof item.written.field !== 'string'
  return (
    <div className="wb-props">
      <header className="wb-props-head">
        <Breadcrumbs item={item} />
        <h2>{title(item)}</h2>
        <p className="wb-quiet">
          {kindName(item)}
          {typeof item.written.field === 'string' && ` · ${item.written.field}`}
        </p>
        <Acts />
      </header>
      {node !== undefined && drawn?.engine != null && <Why engine={drawn.engine} node={node} runs={runs} />}
      {isFragment ? (
        <FragmentProperties item={item} />
      ) : node === undefined ? (
        <p className="wb-quiet wb-pad">{t('workbench.props.notDrawn')}</p>
      ) : (
        <Groups item={item} node={node} />
      )}
      <Group title={t('workbench.props.json')} count={0} startsOpen={false}>
        {() => <ItemJson item={item} />}
      </Group>
    </div>
  )
}

function Breadcrumbs({ item }: { readonly item: Item }) {
  const bench = useBench()
  const title = useTitles()
  const { document } = useEditing()
  const items = itemsOf(document)
  const above: Item[] = []
  for (let at = items.get(item.parent); at !== undefined; at = items.get(at.parent)) above.unshift(at)
  return (
    <nav className="wb-crumbs" aria-label={t('workbench.props.crumbs')}>
      <button type="button" onClick={() => bench.select(null)}>
        {t('workbench.tree.page')}
      </button>
      {above.map((one) => (
        <span key={one.key}>
          <Glyph name="right" size={10} />
          <button type="button" onClick={() => bench.select(one.key)}>
            {title(one)}
          </button>
        </span>
      ))}
    </nav>
  )
}

const OPEN: readonly GroupName[] = ['basic', 'rules', 'data']

function Groups({ item, node }: { readonly item: Item; readonly node: PageNode }) {
  const [query, setQuery] = useState('')
  const groups = useMemo(() => groupedOptions(node.spec), [node.spec])
  const ownOptions = isObject(item.written.options) ? item.written.options : {}
  const word = query.trim().toLowerCase()
  return (
    <>
      <label className="wb-search wb-search-inset">
        <Glyph name="search" size={14} />
        <input
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          placeholder={t('workbench.props.search')}
          aria-label={t('workbench.props.search')}
        />
      </label>
      {[...groups].map(([name, options]) => {
        const shown = options.filter((option) => searchText(option).includes(word))
        if (shown.length === 0) return null
        const set = shown.filter((option) => Object.hasOwn(ownOptions, option.name)).length
        return (
          <Group
            key={`${name} ${word}`}
            title={t(`workbench.props.${name}`)}
            count={set}
            startsOpen={word !== '' || OPEN.includes(name)}
          >
            {() =>
              shown.map((option) => (
                <OptionRow
                  key={option.name}
                  option={option}
                  item={item}
                  ownOptions={ownOptions}
                  node={node}
                />
              ))
            }
          </Group>
        )
      })}
    </>
  )
}

interface GroupProps {
  readonly title: string
  /** The number of options that the page sets itself. */
  readonly count: number
  readonly startsOpen: boolean
  readonly children: () => ReactNode
}

/** A group of options; a folded one is not rendered, because a widget has a hundred and each selection rebuilds them. */
function Group({ title, count, startsOpen, children }: GroupProps) {
  const [isOpen, setOpen] = useState(startsOpen)
  return (
    <details className="wb-group" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title}
        {count > 0 && <small>{count}</small>}
      </summary>
      {isOpen && children()}
    </details>
  )
}

/** The text by which an option is found. */
const searchText = ({ name }: Option): string =>
  `${wordOr(`workbench.option.${name}`, name)} ${name}`.toLowerCase()

interface RowProps {
  readonly option: Option
  readonly item: Item
  readonly ownOptions: JsonObject
  readonly node: PageNode
}

function OptionRow({ option, item, ownOptions, node }: RowProps) {
  const bench = useBench()
  const id = useId()
  const { name, spec } = option
  const isSet = Object.hasOwn(ownOptions, name)
  const label = isCodeKey(name) ? hookWord(name) : wordOr(`workbench.option.${name}`, name)
  const path = ['options', name]
  const change = (value: Json | undefined, isTyped: boolean) =>
    bench.perform(
      value === undefined ? { do: 'set', id: item.key, path } : { do: 'set', id: item.key, path, value },
      isTyped ? `${item.key} ${name}` : undefined,
    )
  // A rule has many controls with names of their own; the group has the name of the option.
  const isGroup = spec.type === 'rule' || spec.type === 'code' || name === 'on'
  const Row = isGroup ? 'fieldset' : 'div'
  return (
    <Row
      className={isSet ? 'wb-row wb-row-set' : 'wb-row'}
      data-option={name}
      {...(isGroup ? { 'aria-label': label } : {})}
    >
      <div className="wb-row-head">
        {isGroup ? (
          <span title={name}>{label}</span>
        ) : (
          <label htmlFor={id} title={name}>
            {label}
          </label>
        )}
        {isSet && name !== 'name' && (
          <button type="button" className="wb-reset" onClick={() => change(undefined, false)}>
            {t('workbench.props.reset')}
          </button>
        )}
      </div>
      <OptionEditor
        id={id}
        option={option}
        value={ownValue(ownOptions, name)}
        effective={node.option(name) ?? spec.default}
        items={node.spec.hasItems === true}
        events={node.spec.events}
        onChange={change}
      />
    </Row>
  )
}

/** A shared part is edited in its own file; here are the page's parameters. */
function FragmentProperties({ item }: { readonly item: Item }) {
  const bench = useBench()
  const name = String(
    item.written.fragment ?? item.written.ref ?? item.written.fields ?? item.written.card ?? '',
  )
  return (
    <div className="wb-pad">
      <p className="wb-note">{t('workbench.props.fragment', { name })}</p>
      <JsonEditor
        label={t('workbench.props.with')}
        value={item.written.with ?? item.written.options ?? {}}
        onChange={(value) =>
          bench.perform({
            do: 'set',
            id: item.key,
            path: [typeof (item.written.fields ?? item.written.card) === 'string' ? 'options' : 'with'],
            value,
          })
        }
      />
    </div>
  )
}

/** A change of the item's key is applied when the editor loses focus, because it is then another item. */
function ItemJson({ item }: { readonly item: Item }) {
  const bench = useBench()
  const { document } = useEditing()
  const waiting = useRef<Edit | null>(null)
  const apply = (edit: Edit) => {
    const isSame = applyEdit(document, edit)?.key === item.key
    waiting.current = isSame ? null : edit
    if (isSame) bench.perform(edit, `${item.key} json`)
  }
  return (
    <fieldset
      className="wb-pad"
      onBlur={() => {
        const { current } = waiting
        waiting.current = null
        if (current !== null) bench.perform(current)
      }}
    >
      <JsonBox
        label={t('workbench.props.json')}
        root="widget"
        value={item.written}
        onChange={(value) => isObject(value) && apply({ do: 'set', id: item.key, path: [], value })}
      />
    </fieldset>
  )
}
