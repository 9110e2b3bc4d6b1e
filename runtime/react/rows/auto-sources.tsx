import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import type { Engine } from '../../core/engine.ts'
import { type Json, ownValue } from '../../core/json.ts'
import { useEngine } from '../page/page-context.ts'
import { client } from './query-client.ts'
import { refusalIn, sourceQuery } from './source-query.ts'
import { useSourceKey } from './use-source-key.ts'

/** A required source failed: the server's text, or '' if it was not reached. */
export interface Missing {
  readonly refusal: string
  readonly retry: () => void
}

export interface AutoSourcesProps {
  /** The page's element. Its attribute `data-awaits` says whether something in it waits for an answer. */
  readonly root: RefObject<HTMLElement | null>
  /** Called when the first answer of a `needed` source failed, and with null once it has one. */
  readonly onMissing: (missing: Missing | null) => void
}

/** Keeps the automatic sources of the page loaded: each is requested again when its inputs change; the latest answer wins. */
export function AutoSources(props: AutoSourcesProps) {
  const engine = useEngine()
  return engine.autoSources().map((name) => <AutoSource key={name} engine={engine} name={name} {...props} />)
}

interface AutoSourceProps extends AutoSourcesProps {
  readonly engine: Engine
  readonly name: string
}

function AutoSource(props: AutoSourceProps) {
  const sourceKey = useSourceKey(props.engine, props.name)
  return sourceKey === null ? null : <KeyedSource {...props} sourceKey={sourceKey} />
}

function KeyedSource({
  engine,
  name,
  sourceKey,
  root,
  onMissing,
}: AutoSourceProps & { readonly sourceKey: Json }) {
  const query = sourceQuery(engine, name, sourceKey)
  usePrefetchQuery(query, client) // starts the request while the page is still being rendered
  const { data, error, refetch } = useQuery(query, client)
  const isNeeded = ownValue(engine.page.dataSources.get(name), 'needed') === true
  useEffect(() => {
    if (!isNeeded) return
    const isMissing = data === undefined && error !== null
    onMissing(isMissing ? { refusal: refusalIn(error), retry: () => void refetch() } : null)
  }, [isNeeded, data, error, refetch, onMissing])
  const isWaiting = data === undefined && error === null
  useEffect(() => {
    if (!isWaiting) return
    if (ownValue(engine.scope().data, name) !== undefined) return mark(root.current, 'next')
    if (isNeeded) return mark(root.current, 'first')
  }, [engine, name, root, isNeeded, isWaiting])
  useEffect(() => {
    if (data !== undefined) engine.setData(name, data)
  }, [engine, name, data])
  return null
}

/**
 * `first`: data that the page needs is being loaded, so texts would be wrong; `next`: the shown data is outdated. Set on the element directly, so
 * that the page need not render again. @returns a function that removes the mark
 */
function mark(element: HTMLElement | null, awaits: 'first' | 'next'): () => void {
  const token = ` ${awaits}`
  if (element !== null) element.dataset.awaits = (element.dataset.awaits ?? '') + token
  return () => {
    if (element !== null) element.dataset.awaits = element.dataset.awaits?.replace(token, '') ?? ''
  }
}
