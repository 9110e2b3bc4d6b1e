import { useState } from 'react'
import { LazyImage } from '../kit/lazy-image.tsx'
import { Pressable } from '../kit/pressable.tsx'
import { safePicture } from '../kit/safe-url.ts'
import { useLongPress } from '../kit/use-long-press.ts'
import { layerPart } from '../layers/layer-part.tsx'
import { lengthOf, numberOf, textOf } from '../page/options.ts'
import { listensTo, useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'

const Preview = layerPart(() => import('../pickers/preview.tsx'))
const FITS = { cover: 'cover', contain: 'contain', fill: 'fill' } as const

export function View({ state, row }: ViewProps) {
  const { options } = state
  const fire = useFire(state, row)
  const [large, setLarge] = useState(false)
  const longPress = useLongPress(listensTo(state, 'longPress') ? () => void fire('longPress') : undefined)
  const src = safePicture(textOf(options.src) || textOf(state.value))
  if (src === '') return null
  const drawn = (
    <LazyImage
      className="vf-image"
      src={src}
      alt={textOf(options.alt)}
      lazy={options.lazy !== false}
      fallback={textOf(options.errorImg)}
      style={{
        width: lengthOf(options.width),
        height: lengthOf(options.height),
        objectFit: FITS[textOf(options.fit) as keyof typeof FITS] ?? 'cover',
        borderRadius: numberOf(options.radius, 0),
      }}
      onLoad={({ width, height }) => {
        if (listensTo(state, 'load')) void fire('load', [{ width, height }])
      }}
      onError={() => void fire('error')}
    />
  )
  const press = () => {
    if (options.preview === true) setLarge(true)
    void fire('click')
  }
  return (
    <div className="vf-image-box" {...longPress}>
      {options.preview === true || listensTo(state, 'click') ? (
        <Pressable onPress={press}>{drawn}</Pressable>
      ) : (
        drawn
      )}
      {large ? <Preview images={[src]} at={0} onClose={() => setLarge(false)} /> : null}
    </div>
  )
}
