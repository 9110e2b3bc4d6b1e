import { lazy, Suspense, useMemo, useState } from 'react'
import { drawHtml, picturesOf } from '../html-tree.tsx'
import { LazyImage } from '../lazy-image.tsx'
import { RichMedia } from '../media/rich-media.tsx'
import { textOf } from '../options.ts'
import { useText } from '../page-context.ts'
import { useFire } from '../use-fire.ts'
import type { ViewProps } from '../view.ts'
import '../styles/media.css'
import { fetchPart } from '../fetch-part.ts'

const Preview = lazy(() => fetchPart(() => import('../pickers/preview.tsx')))

/** A rich text: pictures near the screen only, films and sounds with a next try, links told (PLATFORM 8.21). */
export function View({ state, row }: ViewProps) {
  const t = useText()
  const fire = useFire(state, row)
  const { options } = state
  const [shown, setShown] = useState<number | null>(null)
  const html = textOf(options.htmlContent) || textOf(state.value)
  const pictures = useMemo(() => picturesOf(html), [html])
  const tree = drawHtml(html, {
    picture: ({ key, src, alt }) => {
      const image = (
        <LazyImage
          key={key}
          src={src}
          alt={alt}
          lazy={options.lazyLoad !== false}
          fallback={textOf(options.errorImg)}
          onError={() =>
            void fire('error', [{ source: 'img', attrs: { src }, errMsg: t('media.imageFailed') }])
          }
        />
      )
      return options.previewImg === false ? (
        image
      ) : (
        <button
          key={key}
          type="button"
          className="vf-html-picture"
          aria-label={t('upload.preview', { name: alt })}
          onClick={() => {
            setShown(pictures.indexOf(src))
            void fire('imgtap', [{ src }])
          }}
        >
          {image}
        </button>
      )
    },
    media: ({ key, kind, sources, poster }) => (
      <RichMedia
        key={key}
        kind={kind}
        sources={sources}
        {...(poster === '' ? {} : { poster })}
        onFailed={(errMsg) =>
          void fire('error', [{ source: kind, attrs: { src: sources[0] ?? '' }, errMsg }])
        }
      />
    ),
    link: ({ key, href }, children) => (
      <a
        key={key}
        href={href}
        {...(href !== undefined && /^https?:/i.test(href)
          ? { target: '_blank', rel: 'noopener noreferrer' }
          : {})}
        onClick={() => void fire('linktap', [{ href: href ?? '' }])}
      >
        {children}
      </a>
    ),
  })
  return (
    <div className="vf-html">
      {tree}
      {shown === null ? null : (
        <Suspense fallback={null}>
          <Preview images={pictures} at={shown} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </div>
  )
}
