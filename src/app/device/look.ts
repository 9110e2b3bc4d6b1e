import type { TypedStorage } from '../storage/typed-storage.ts'

const KEY = 'look'
export const LOOKS = ['system', 'light', 'dark'] as const
type LookName = (typeof LOOKS)[number]

/** Whether the app is drawn light or dark: as the system is, or as somebody chose on this device. */
export interface AppLook {
  readonly choice: () => LookName
  /** Resolves when the first thing can be drawn. */
  readonly ready: void | Promise<void>
  readonly choose: (name: string) => void
}

export interface LookOptions {
  readonly storage: Pick<TypedStorage, 'get' | 'set'>
  /** The system's wish: true for dark. */
  readonly system: Pick<MediaQueryList, 'matches' | 'addEventListener'>
  readonly draw: (isDark: boolean) => void | Promise<void>
}

/** Draws at once, and again with each change of the choice or of the system. */
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

/** Writes the look where style sheets, the widget library and the browser's own bars read it; the colours of the dark come when they are wanted. */
export async function drawLook(document: Document, isDark: boolean): Promise<void> {
  if (isDark) await import('../../../runtime/react/styles/dark.css').catch(() => undefined)
  const root = document.documentElement
  root.dataset.prefersColorScheme = isDark ? 'dark' : 'light'
  const card = getComputedStyle(root).getPropertyValue('--vf-card').trim()
  if (card !== '')
    for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
      bar.content = card
}
