import { type ComponentType, lazy, Suspense } from 'react'
import { fetchPart } from '../page/fetch-part.ts'

/** Without its pictures the app works on: a set that does not come leaves their places empty. */
const Loaded = lazy(() =>
  fetchPart<Icons>(() => import('./icon-set.tsx')).catch(() => ({ default: () => null })),
)

interface Icons {
  readonly default: ComponentType<{ readonly name: string }>
}

interface IconProps {
  /** `AddOutline`, `PhoneFill` … of antd-mobile-icons, or in short `add`, `phone`. */
  readonly name: string
  readonly size?: number
}

/** An icon by the name an author writes; the set is fetched when the first one is shown, its place is kept meanwhile. */
export function Icon({ name, size = 20 }: IconProps) {
  return (
    <span className="vf-icon" style={{ width: size, height: size, fontSize: size }} aria-hidden="true">
      <Suspense fallback={null}>
        <Loaded name={name} />
      </Suspense>
    </span>
  )
}
