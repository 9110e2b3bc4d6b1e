import { useMemo, useState } from 'react'
import type { Engine } from '../../../runtime/core/engine.ts'
import { type Json, ownValue } from '../../../runtime/core/json.ts'
import { isCodeKey } from '../../../runtime/core/page/has-code.ts'
import type { PageNode } from '../../../runtime/core/page/page.ts'
import type { HookCall } from '../../../runtime/core/ports.ts'
import { parseCell, splitRowKey } from '../../../runtime/core/state/cells.ts'
import { useCanvas } from '../canvas/use-drawn.ts'
import type { Run } from '../canvas/watch-script.ts'
import { hookWord, t, useBench, wordOr } from '../context.ts'
import { Case } from './case.tsx'

/** The code of the page: each hook can be run on the current page; below, what each run read, wrote and requested. */
export function Runs() {
  const bench = useBench()
  const { drawn, runs, runHook } = useCanvas()
  const engine = drawn?.engine ?? null
  const hooks = useMemo(() => (engine === null ? [] : hooksOf(engine)), [engine])
  const [isClosed, setClosed] = useState(false)
  if (engine === null) return null
  const open = (node: PageNode | undefined) =>
    bench.select(node === undefined ? null : (drawn?.resolved.keyAt(node.pointer) ?? null))
  return (
    <div className="wb-runs">
      <p className="wb-quiet wb-pad">
        {t(hooks.length === 0 ? 'workbench.runs.noCode' : 'workbench.runs.hint')}
      </p>
      {hooks.length > 0 && (
        <details className="wb-group">
          <summary>
            {t('workbench.runs.hooks')}
            <small>{hooks.length}</small>
          </summary>
          <ul className="wb-pad">
            {hooks.map((call) => (
              <li key={`${call.key} ${call.hook}`} className="wb-run-hook">
                <span>{hookWords(call, engine)}</span>
                <button type="button" className="wb-act" onClick={() => setClosed(!runHook(call))}>
                  {t('workbench.runs.run')}
                </button>
              </li>
            ))}
          </ul>
          {isClosed && (
            <p className="wb-error wb-pad" role="alert">
              {t('workbench.runs.closed')}
            </p>
          )}
        </details>
      )}
      <Case />
      <ol className="wb-run-list">
        {runs.map((run) => (
          <RunRow key={run.id} run={run} engine={engine} onOpen={open} />
        ))}
      </ol>
    </div>
  )
}

interface RunProps {
  readonly run: Run
  readonly engine: Engine
  /** Goes to the widget where it began; undefined: the page's own. */
  readonly onOpen: (node: PageNode | undefined) => void
}

/** One run of the page's code: what started it, what it wrote, requested and logged, how long it took. */
export function RunRow({ run, engine, onOpen }: RunProps) {
  const { hooks, reads, writes, effects, requests, faults, answer, ms, at } = run
  return (
    <li className={faults.length > 0 ? 'wb-run wb-run-failed' : 'wb-run'}>
      <button
        type="button"
        onClick={() => onOpen(engine.page.nodes.get(splitRowKey(hooks[0]?.key ?? '').base))}
      >
        <b>{hooks.map((call) => hookWords(call, engine)).join(t('workbench.rule.comma'))}</b>
        <small>{`${new Date(at).toLocaleTimeString()} · ${ms} ms`}</small>
      </button>
      <ul>
        {hooks
          .filter(({ args }) => args.length > 0)
          .map(({ hook, args }) => (
            <li key={hook}>
              {t('workbench.runs.args')} <code>{short(args as Json)}</code>
            </li>
          ))}
        {reads.map(({ name, args, value }) => (
          <li key={`${name} ${JSON.stringify(args)}`}>
            {t('workbench.runs.read', { name: readWords(name, args, engine) })} <code>{short(value)}</code>
          </li>
        ))}
        {writes.map(({ cell, before, value }) => (
          <li key={cell}>
            {t('workbench.runs.wrote', { name: cellWords(cell, engine) })}{' '}
            <code>{`${short(before ?? null)} → ${short(value)}`}</code>
          </li>
        ))}
        {requests.map(({ name, args }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one may be asked twice alike
          <li key={`${name} ${i}`}>
            {t('workbench.runs.asked')} <code>{`${name} ${short(args as Json)}`}</code>
          </li>
        ))}
        {effects.map(({ name, args }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <li key={`${name} ${i}`}>
            {t(name === 'log' ? 'workbench.runs.log' : 'workbench.runs.did')}{' '}
            <code>{name === 'log' ? args.map(String).join(' ') : `${name} ${short(args as Json)}`}</code>
          </li>
        ))}
        {answer !== undefined && answer !== null && (
          <li>
            {t('workbench.runs.answered')} <code>{short(answer)}</code>
          </li>
        )}
        {faults.map(({ code, message, line }) => (
          <li key={`${code} ${message}`} className="wb-error">
            {wordOr(`workbench.runs.fault.${code}`, '')}{' '}
            <code>{`${code} ${message}${line === undefined ? '' : ` :${line}`}`}</code>
          </li>
        ))}
      </ul>
    </li>
  )
}

/** Every hook and function of the page. */
function hooksOf({ page }: Engine): readonly HookCall[] {
  const isCode = (name: string, value: Json | undefined): boolean =>
    isCodeKey(name) && name.startsWith('on') && typeof value === 'string' && value.trim() !== ''
  const ofForm = Object.entries(page.config)
    .filter(([name, value]) => isCode(name, value as Json))
    .map(([hook]): HookCall => ({ hook, key: '', args: [] }))
  const ofWidgets = [...page.nodes.values()].flatMap((node) =>
    Object.keys(node.widget.options)
      .filter((name) => isCode(name, ownValue(node.widget.options, name)))
      .map((hook): HookCall => ({ hook, key: node.key, args: [] })),
  )
  return [...ofForm, ...ofWidgets]
}

function hookWords({ hook, key }: HookCall, engine: Engine): string {
  const name = key === '' ? t('workbench.tree.page') : nodeWords(key, engine)
  return `${name} · ${hookWord(hook)}`
}

function nodeWords(key: string, engine: Engine): string {
  const node = engine.page.nodes.get(splitRowKey(key).base) ?? engine.page.nodes.get(engine.find(key) ?? '')
  const label = node?.option('label')
  return typeof label === 'string' && label !== '' ? label : (node?.name ?? key)
}

/** The target of a script's call: a widget or a field by its label, otherwise the call itself. */
function readWords(name: string, args: readonly Json[], engine: Engine): string {
  const [first] = args
  const call = name.split('.').at(-1) ?? name
  if (name === 'formModel' || name === 'page.values') return t('workbench.runs.form')
  const isWidget = typeof first === 'string' && first !== ''
  const words = isWidget ? nodeWords(first, engine) : call
  return !isWidget || ['getValue', 'getFieldValue'].includes(call) ? words : `${words} · ${call}`
}

/** The label of a cell of the page's state. */
function cellWords(cell: string, engine: Engine): string {
  const at = parseCell(cell)
  switch (at?.kind) {
    case 'value':
    case 'rows':
      return nodeWords(at.key, engine)
    case 'error':
      return `${nodeWords(at.key, engine)} · ${t('workbench.runs.error')}`
    case 'option':
      return `${nodeWords(at.key, engine)} · ${wordOr(`workbench.option.${at.option}`, at.option)}`
    case 'data':
      return `data.${at.name}`
    default:
      return cell
  }
}

const MAX_LENGTH = 120

function short(value: Json): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
