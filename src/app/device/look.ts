import type { TypedStorage } from '../storage/typed-storage.ts'

const KEY = 'look'
export const LOOKS = ['system', 'light', 'dark'] as const
type LookName = (typeof LOOKS)[number]

/** Whether the app is light or dark: as the system, or as chosen on this device. */
export interface AppLook {
  readonly choice: () => LookName
  /** Resolves when drawing can begin. */
  readonly ready: void | Promise<void>
  readonly choose: (name: string) => void
}

export interface LookOptions {
  readonly storage: Pick<TypedStorage, 'get' | 'set'>
  /** The system's setting: true for dark. */
  readonly system: Pick<MediaQueryList, 'matches' | 'addEventListener'>
  readonly draw: (isDark: boolean) => void | Promise<void>
}

/** Draws immediately, and again whenever the choice or the system's setting changes. */
export function createLook({ storage, system, draw }: LookOptions): AppLook {
  const choice = (): LookName => LOOKS.find((name) => name === storage.get(KEY)) ?? 'system'
  const redraw = () => draw(choice() === 'system' ? system.matches : choice() === 'dark')
  system.addEventListener('change', () => void redraw())
  return {
    choice,
    ready: redraw(),
    choose(name) {
      if (!LOOKS.some((one) => one === name)) return
      storage.set(KEY, name)
      void redraw()
    },
  }
}

/** Applies the look to style sheets, widget library and browser bars. The dark colours are loaded on demand. */
export async function drawLook(document: Document, isDark: boolean): Promise<void> {
  if (isDark) await import('../../../runtime/react/styles/dark.css').catch(() => undefined)
  const root = document.documentElement
  root.dataset.prefersColorScheme = isDark ? 'dark' : 'light'
  const card = getComputedStyle(root).getPropertyValue('--vf-card').trim()
  if (card !== '')
    for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
      bar.content = card
}
