/** The host of a website without `www.`, for comparison; null if the text is not an address. @see DOMAIN 1.1.3 */
export function websiteHost(website: string | null): string | null {
  if (website === null || website === '') return null
  const url = /^https?:\/\//i.test(website) ? website : `https://${website}`
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : null
}

/** The website as stored: with its protocol (DOMAIN 1.1). */
export function completeWebsite(website: string): string {
  return /^https?:\/\//i.test(website) ? website : `https://${website}`
}
