const USUAL_PX = 16

/**
 * Sets `--vf-text-times`, the factor of the user's text size, by which styles allow more lines before they truncate. Pages cannot query the setting,
 * so a character is measured: after loading, and whenever the page becomes visible again, since the user may come back from the device's settings.
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
