import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Engine } from '../../core/engine.ts'
import { isObject, type Json, type JsonObject, ownValue, valueAt } from '../../core/json.ts'
import { client, sourceQueryKey } from './query-client.ts'
import { askSource, refusalIn } from './source-query.ts'
import { useSourceKey } from './use-source-key.ts'

/** Rows of a data source, page by page. */
export interface Rows {
  readonly rows: readonly JsonObject[]
  readonly state: 'loading' | 'failed' | 'ready'
  /** The server's text of the error; '' if it was not reached. */
  readonly refusal: string
  /** The first page's whole answer; null until it is loaded. */
  readonly answer: Json
  readonly hasMore: boolean
  readonly loadingMore: boolean
  /** A further page failed; the loaded rows stay. */
  readonly moreFailed: boolean
  /** New first rows are being loaded while the old ones are shown. */
  readonly refreshing: boolean
  readonly loadMore: () => void
  readonly retry: () => void
}

interface Paging {
  readonly items: string
  readonly cursor: string
  readonly next: string
}

/** The paging of a source: `paging` of PAGE-FORMAT; without it the answer is the list, or has it under `list`. */
function pagingOf(engine: Engine, name: string): Paging | null {
  const given = ownValue(engine.page.dataSources.get(name), 'paging')
  if (!isObject(given)) return null
  const word = (key: string, otherwise: string) =>
    typeof given[key] === 'string' ? (given[key] as string) : otherwise
  return { items: word('items', 'list'), cursor: word('cursor', 'cursor'), next: word('next', 'nextCursor') }
}

/** The rows of an answer: the list itself, or the one at `path`. */
export function rowsIn(answer: Json | undefined, path: string): readonly JsonObject[] {
  const list = Array.isArray(answer) ? answer : valueAt(answer, path)
  return Array.isArray(list) ? (list as readonly Json[]).filter(isObject) : []
}

/** Loads the rows of a list widget, and reloads them when the inputs of the source change. */
export function useRows(engine: Engine, name: string): Rows {
  const paging = useMemo(() => pagingOf(engine, name), [engine, name])
  const sourceKey = useSourceKey(engine, name)
  const query = useInfiniteQuery(
    {
      // A separate key: an automatic source of the same name caches its answer under the other one.
      queryKey: [...sourceQueryKey(engine, name, sourceKey), 'rows'],
      queryFn: ({ pageParam, signal }) =>
        askSource(engine, name, signal, paging && pageParam !== null ? { [paging.cursor]: pageParam } : {}),
      initialPageParam: null as Json,
      getNextPageParam: (last: Json) => (paging ? (valueAt(last, paging.next) ?? null) : null),
      enabled: sourceKey !== null && name !== '',
      retry: false,
      refetchOnWindowFocus: false,
      staleTime: Number.POSITIVE_INFINITY,
      placeholderData: (previous) => previous,
    },
    client,
  )
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const rows = useMemo(
    () => (data?.pages ?? []).flatMap((page) => rowsIn(page, paging?.items ?? 'list')),
    [data, paging],
  )
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage({ cancelRefetch: false }) // ignores a second call before the next render
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return {
    rows,
    state: data === undefined ? (query.isError ? 'failed' : 'loading') : 'ready',
    refusal: refusalIn(query.error),
    answer: data?.pages[0] ?? null,
    hasMore: hasNextPage,
    loadingMore: isFetchingNextPage,
    moreFailed: query.isFetchNextPageError,
    refreshing: query.isPlaceholderData || (query.isFetching && !isFetchingNextPage && data !== undefined),
    loadMore,
    retry: () => void refetch(),
  }
}
