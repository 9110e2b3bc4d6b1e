import { lazy, Suspense } from 'react'

const Loaded = lazy(() => import('./icon-set.tsx'))

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
