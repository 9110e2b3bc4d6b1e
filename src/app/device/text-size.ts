const USUAL_PX = 16

/**
 * Tells styles how many times as large as usual text is (`--vf-text-times`): what ends in dots after some lines has that many more of them. A
 * page cannot ask for it, so that a sign is measured: when everything has come, and whenever somebody comes back, from the device's settings maybe.
 */
export function followTextSize(root: HTMLElement = document.documentElement): void {
  const measure = () => {
    const sign = document.createElement('span')
    sign.style.cssText = `position: absolute; visibility: hidden; font-size: ${USUAL_PX}px`
    sign.textContent = '\u3000'
    root.append(sign)
    const times = Math.round(sign.getBoundingClientRect().width / USUAL_PX)
    sign.remove()
    root.style.setProperty('--vf-text-times', String(Math.max(1, times)))
  }
  if (document.readyState === 'complete') measure()
  else addEventListener('load', measure, { once: true })
  document.addEventListener('visibilitychange', measure)
}
