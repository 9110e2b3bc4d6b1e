import { lazy, Suspense } from 'react'
import type { Json } from '../../core/json.ts'
import { LazyImage } from '../kit/lazy-image.tsx'
import { Pressable } from '../kit/pressable.tsx'
import { uniqueKeys } from '../kit/unique-keys.ts'
import { fetchPart } from '../page/fetch-part.ts'
import { textOf } from '../page/options.ts'
import { listensTo, useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import { WidgetView } from '../page/widget-view.tsx'

const Pages = lazy(() => fetchPart(() => import('../kit/swiper-pages.tsx')))

/** Pictures, or one page per child. */
export function View({ state, row }: ViewProps) {
  const fire = useFire(state, row)
  const pictures = picturesOf(state.options.images)
  const keys = uniqueKeys(pictures.map(({ url }) => url))
  const pages =
    pictures.length > 0
      ? pictures.map(({ url, alt }, i) => {
          const picture = <LazyImage key={keys[i]} className="vf-swiper-picture" src={url} alt={alt} />
          return listensTo(state, 'itemClick') ? (
            <Pressable key={keys[i]} onPress={() => void fire('itemClick', [i])}>
              {picture}
            </Pressable>
          ) : (
            picture
          )
        })
      : state.children.map((key) => <WidgetView key={key} nodeKey={key} />)
  return (
    <Suspense fallback={null}>
      <Pages state={state} pages={pages} />
    </Suspense>
  )
}

interface Picture {
  readonly url: string
  readonly alt: string
}

function picturesOf(value: Json | undefined): readonly Picture[] {
  if (!Array.isArray(value)) return []
  return (value as readonly Json[]).flatMap((item) => {
    if (typeof item === 'string') return item === '' ? [] : [{ url: item, alt: '' }]
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return []
    const { url, alt } = item as { readonly url?: Json; readonly alt?: Json }
    return textOf(url) === '' ? [] : [{ url: textOf(url), alt: textOf(alt) }]
  })
}
