import { type MouseEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { itemsOf } from '../../../runtime/core/edit/entries.ts'
import { type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import type { WidgetSpec } from '../../../runtime/core/page/widget-spec.ts'
import { CATALOGUE } from '../../../runtime/core/widgets/index.ts'
import { Glyph } from '../../../runtime/react/kit/glyph.tsx'
import type { FragmentFacts, ModuleField } from '../calls.ts'
import { useCanvas } from '../canvas/use-drawn.ts'
import { t, useBench, useBenchState, useEditing, wordOr } from '../context.ts'
import { useDragHandle, useRefs } from '../dragging.tsx'
import { inserted, newWidget } from '../make-widget.ts'
import { isOffered, namesOn, offersModules } from '../offered-fields.ts'
import { isOnCard, spotBehind } from '../placing.ts'
import { WidgetPicture } from './widget-picture.tsx'

interface PaletteEntry {
  readonly key: string
  readonly title: string
  readonly words: string
  readonly items: readonly JsonObject[]
}

/** Everything that can be added to a page: fields of the modules first, then all widgets of the runtime. */
export function Palette() {
  const [query, setQuery] = useState('')
  const word = query.trim().toLowerCase()
  const groups = useMemo(widgetGroups, [])
  const fields = useModuleFields()
  const blocks = useBlocks()
  const fragments = useFragments()
  const all = [...fields.groups, ...blocks, ...groups, ...fragments]
  const soundOf = useReadings(all.flatMap(({ things }) => things.map(({ title }) => title)))
  const matches = ({ words, title }: PaletteEntry): boolean =>
    words.includes(word) || soundOf(title).includes(word)
  const shown = all
    .map(({ group, title, things }) => ({ group, title, things: things.filter(matches) }))
    .filter(({ things }) => things.length > 0)
  const box = useRef<HTMLElement>(null)
  const grip = useDragHandle('palette', (target) => {
    const key = target.closest<HTMLElement>('[data-thing]')?.dataset.thing
    const entry = shown.flatMap(({ things }) => things).find((one) => one.key === key)
    return entry === undefined ? null : { title: entry.title, insert: entry.items }
  })
  const hold = useRefs(grip.ref, null, box)
  const keepFocus = useFocusNeighbour(box, shown.map(({ things }) => things.length).join())
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only looks on while one of its buttons is pressed
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div className="wb-palette" {...grip} ref={hold} onClick={keepFocus}>
      <label className="wb-search">
        <Glyph name="search" size={14} />
        <input
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          placeholder={t('workbench.palette.search')}
          aria-label={t('workbench.palette.search')}
        />
      </label>
      {fields.modules.length > 0 && (
        <label className="wb-palette-module">
          <span>{t('workbench.palette.module')}</span>
          <select value={fields.module} onChange={(event) => fields.choose(event.target.value)}>
            {fields.modules.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
      {shown.map(({ group, title, things }) => (
        <Group key={title} title={title} isFolded={group === 'fragments' && word === ''}>
          {things.map((thing) => (
            <EntryButton key={thing.key} thing={thing} group={group} />
          ))}
        </Group>
      ))}
      {shown.length === 0 && <p className="wb-quiet">{t('workbench.nothing')}</p>}
    </div>
  )
}

interface GroupProps {
  readonly title: string
  /** Large groups of rarely used widgets start folded. */
  readonly isFolded: boolean
  readonly children: ReactNode
}

function Group({ title, isFolded, children }: GroupProps) {
  if (!isFolded)
    return (
      <section>
        <h2>{title}</h2>
        <div className="wb-things">{children}</div>
      </section>
    )
  return (
    <details>
      <summary>{title}</summary>
      <div className="wb-things">{children}</div>
    </details>
  )
}

/** A field that was added disappears from here together with the focus, which moves to its neighbour. */
function useFocusNeighbour(
  box: React.RefObject<HTMLElement | null>,
  shown: string,
): (event: MouseEvent) => void {
  const pressed = useRef(-1)
  const buttons = () => [...(box.current?.querySelectorAll<HTMLElement>('.wb-thing') ?? [])]
  // biome-ignore lint/correctness/useExhaustiveDependencies: other things are shown
  useEffect(() => {
    const from = pressed.current
    pressed.current = -1
    if (from < 0 || document.activeElement !== document.body) return
    const remaining = buttons()
    remaining[Math.min(from, remaining.length - 1)]?.focus()
  }, [shown])
  return ({ target }) => {
    pressed.current = buttons().findIndex((button) => target instanceof Node && button.contains(target))
  }
}

function EntryButton({ thing: entry, group }: { readonly thing: PaletteEntry; readonly group: string }) {
  const bench = useBench()
  const { document, selected } = useEditing()
  return (
    <div className="wb-thing-place">
      <button
        type="button"
        className="wb-thing"
        data-thing={entry.key}
        title={t('workbench.palette.hint')}
        onClick={() => bench.perform(inserted(document, entry.items, spotBehind(document, selected)))}
      >
        <WidgetPicture group={group} type={entry.key} />
        <span>{entry.title}</span>
      </button>
      {group === 'blocks' && (
        <button
          type="button"
          className="wb-icon"
          aria-label={t('workbench.block.drop', { title: entry.title })}
          onClick={() => void bench.dropBlock(entry.title)}
        >
          <Glyph name="cross" size={14} />
        </button>
      )}
    </div>
  )
}

/** Widgets of older forms, and those that are only allowed inside their own containers, are not offered. */
const LEFT_OUT = new Set(['unsupported', 'slot', 'vform-preview', 'table-cell', 'grid-col', 'tab-pane'])
const GROUPS = ['inputs', 'choices', 'dates', 'uploads', 'containers', 'display', 'data', 'finding', 'frame']

function widgetGroups() {
  return GROUPS.map((group) => ({
    group,
    title: t(`workbench.group.${group}`),
    things: (CATALOGUE[group] ?? [])
      .filter(({ type, kind }) => kind !== 'part' && !LEFT_OUT.has(type))
      .map(thingOf),
  }))
}

function thingOf(spec: WidgetSpec): PaletteEntry {
  const title = wordOr(`workbench.widget.${spec.type}`, spec.type)
  return { key: spec.type, title, words: `${title} ${spec.type}`.toLowerCase(), items: [newWidget(spec)] }
}

/** Saved blocks, each with a button to delete it. */
function useBlocks() {
  const blocks = useBenchState((state) => state.blocks)
  const entries = blocks.map(
    ({ title, items }): PaletteEntry => ({ key: `block ${title}`, title, words: title.toLowerCase(), items }),
  )
  return entries.length === 0
    ? []
    : [{ group: 'blocks', title: t('workbench.group.blocks'), things: entries }]
}

/** Shared parts; required parameters have inputs. */
function useFragments() {
  const { calls } = useBench()
  const [found, setFound] = useState<readonly FragmentFacts[]>([])
  useEffect(() => {
    void calls.fragments().then((answer) => setFound(answer.ok ? answer.value : []))
  }, [calls])
  const entries = found.map(({ name, label, asks }): PaletteEntry => {
    const given = asks.length === 0 ? {} : { with: Object.fromEntries(asks.map((key) => [key, ''])) }
    const title = label === name ? name : `${label} ${name}`
    return {
      key: `fragment ${name}`,
      title,
      words: title.toLowerCase(),
      items: [{ fragment: name, ...given }],
    }
  })
  return entries.length === 0
    ? []
    : [{ group: 'fragments', title: t('workbench.group.fragments'), things: entries }]
}

/** The pinyin of titles; '' while unknown. */
function useReadings(titles: readonly string[]): (title: string) => string {
  const { calls } = useBench()
  const [sounds, setSounds] = useState<ReadonlyMap<string, string>>(new Map())
  const requested = useRef(new Set<string>())
  const printed = JSON.stringify(titles)
  useEffect(() => {
    const words = [...new Set(JSON.parse(printed) as string[])].filter((one) => !requested.current.has(one))
    if (words.length === 0) return
    for (const word of words) requested.current.add(word)
    void calls.readings(words).then((answer) => {
      if (!answer.ok) return
      const { value } = answer
      setSounds((known) => new Map([...known, ...words.map((word, i) => [word, value[i] ?? ''] as const)]))
    })
  }, [calls, printed])
  return (title) => sounds.get(title) ?? ''
}

/** The fields of a module that are not on the page yet: for a form those that have inputs, for a card all. */
function useModuleFields() {
  const { calls } = useBench()
  const { document, selected } = useEditing()
  const { drawn } = useCanvas()
  const named = useMemo(() => moduleIn(document), [document])
  const hasModules = useBenchState(({ path }) => offersModules(path))
  const [modules, setModules] = useState<readonly Pick<ModuleField, 'name' | 'label'>[]>([])
  const [chosen, setChosen] = useState('')
  const [fields, setFields] = useState<readonly ModuleField[]>([])
  const module = chosen === '' ? (named ?? modules[0]?.name ?? '') : chosen
  useEffect(() => {
    if (!hasModules) return
    void calls.modules().then((answer) => setModules(answer.ok ? answer.value : []))
  }, [calls, hasModules])
  useEffect(() => {
    if (module === '') return
    let isOver = false
    void calls.fields(module).then((answer) => {
      if (!isOver) setFields(answer.ok ? answer.value : [])
    })
    return () => {
      isOver = true
    }
  }, [calls, module])
  const existing = useMemo(() => namesOn(drawn?.engine ?? null, document), [drawn, document])
  const isCard = isOnCard(document, spotBehind(document, selected))
  const entries = fields
    .filter((field) => isOffered(field, existing, isCard))
    .map(
      ({ name, label }): PaletteEntry => ({
        key: `${module}.${name}`,
        title: label,
        words: `${label} ${name}`.toLowerCase(),
        items: [{ field: `${module}.${name}` }],
      }),
    )
  const label = modules.find(({ name }) => name === module)?.label ?? ''
  const groups =
    entries.length === 0
      ? []
      : [{ group: 'fields', title: t('workbench.group.fields', { module: label }), things: entries }]
  return { groups, modules, module, choose: setChosen }
}

/** The module whose fields the page shows. */
function moduleIn(document: Parameters<typeof itemsOf>[0]): string | null {
  for (const { written } of itemsOf(document).values()) {
    const field = ownValue(written, 'field') ?? ownValue(written, 'fields')
    if (typeof field === 'string') return field.split(/[./]/)[0] ?? null
  }
  return null
}
