import { type MouseEvent, type ReactNode, useMemo, useState } from 'react'
import type { Device } from '../../core/ports.ts'
import { drawHtml, picturesOf } from '../kit/html-tree.tsx'
import { LazyImage } from '../kit/lazy-image.tsx'
import type { LinkTarget } from '../kit/safe-url.ts'
import { RichMedia } from '../media/rich-media.tsx'
import { textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/media.css'
import { layerPart } from '../layers/layer-part.tsx'

const Preview = layerPart(() => import('../pickers/preview.tsx'))

/** Rich text: pictures are loaded near the viewport, media try their next source, links are reported. */
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
    link: ({ key, href, target, place }, children) => (
      <RichLink key={key} target={target} place={place} onTap={() => void fire('linktap', [{ href }])}>
        {children}
      </RichLink>
    ),
  })
  return (
    <div className="vf-html">
      {tree}
      {shown === null ? null : <Preview images={pictures} at={shown} onClose={() => setShown(null)} />}
    </div>
  )
}

interface LinkProps {
  readonly target: LinkTarget | undefined
  readonly place: string | undefined
  readonly onTap: () => void
  readonly children: ReactNode
}

/** A link in a text. Pages of the app open as usual; the address is complete, so that it can be opened elsewhere. */
function RichLink({ target, place, onTap, children }: LinkProps) {
  const { device, navigator } = useEngine().ports
  const tap = (event: MouseEvent<HTMLAnchorElement>) => {
    onTap()
    if (target?.kind === 'place') {
      event.preventDefault()
      goToPlace(event.currentTarget, target.name)
    }
    if (target?.kind !== 'page' || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    navigator.open(target.url)
  }
  const isWeb = target?.kind === 'outside' && /^https?:/i.test(target.href)
  return (
    <a
      href={hrefOf(target, device)}
      {...(isWeb ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      data-place={place}
      onClick={tap}
    >
      {children}
    </a>
  )
}

function hrefOf(target: LinkTarget | undefined, device: Device): string | undefined {
  if (target?.kind === 'page') return device.addressOf(target.url)
  return target?.kind === 'place' ? `#${encodeURIComponent(target.name)}` : target?.href
}

/** Scrolls to the anchor of that name in any text of the page. */
function goToPlace(from: Element, name: string): void {
  const page = from.closest('.vf-page')
  page?.querySelector(`[data-place="${CSS.escape(name)}"]`)?.scrollIntoView({ block: 'start' })
}
