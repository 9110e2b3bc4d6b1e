/** The host of a website without `www.`, for comparison; null when the text is no address. @see DOMAIN 1.1.3 */
export function websiteHost(website: string | null): string | null {
  if (website === null || website === '') return null
  const url = /^https?:\/\//i.test(website) ? website : `https://${website}`
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : null
}

/** The website as it is stored: with its protocol (DOMAIN 1.1). */
export function completeWebsite(website: string): string {
  return /^https?:\/\//i.test(website) ? website : `https://${website}`
}
