import { type ComponentType, lazy, Suspense } from 'react'
import { fetchPart } from '../page/fetch-part.ts'

/** The app works without icons: if the set cannot be loaded, their places stay empty. */
const Loaded = lazy(() =>
  fetchPart<Icons>(() => import('./icon-set.tsx')).catch(() => ({ default: () => null })),
)

interface Icons {
  readonly default: ComponentType<{ readonly name: string }>
}

interface IconProps {
  /** `AddOutline`, `PhoneFill` … of antd-mobile-icons, or short `add`, `phone`. */
  readonly name: string
  readonly size?: number
}

/** An icon by the name an author writes. The set is loaded with the first icon; its space is reserved meanwhile. */
export function Icon({ name, size = 20 }: IconProps) {
  return (
    <span className="vf-icon" style={{ width: size, height: size, fontSize: size }} aria-hidden="true">
      <Suspense fallback={null}>
        <Loaded name={name} />
      </Suspense>
    </span>
  )
}
