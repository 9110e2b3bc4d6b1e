/** The path of an in-app address without leading slash and query; relative ones are resolved against the page `here`. */
export function pathOf(url: string, here: string): string {
  const path = url.split('?')[0] ?? ''
  if (path.startsWith('/')) return path.replace(/^\/+/, '')
  const steps = here === '' ? [] : pathOf(here, '').split('/').slice(0, -1)
  for (const step of path.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '.') steps.push(step)
  }
  return steps.filter((step) => step !== '').join('/')
}

/** The login page with the return address in its query (PROTOCOL 1.5). `back` is an in-app address. */
export function loginUrl(loginPage: string, back: string): string {
  const page = loginPage.startsWith('/') ? loginPage : `/${loginPage}`
  return `${page}${page.includes('?') ? '&' : '?'}uniIdRedirectUrl=${encodeURIComponent(back)}`
}
