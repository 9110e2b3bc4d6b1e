const PLACE = /^geo:(-?[\d.]+),(-?[\d.]+)(?:\?q=(.*))?$/
/** What knows the way where the device has no program for it; a link somebody taps, nothing of it is loaded here. */
const WEB_MAP = 'https://uri.amap.com/marker'

/**
 * Shows a place (`geo:lat,lng?q=name`, WGS-84) in the map the device has: a phone's own program, elsewhere a map on the web.
 *
 * @returns false for what is no place
 */
export function openMap(address: string, agent = navigator.userAgent): boolean {
  const [, lat, lng, name = ''] = PLACE.exec(address) ?? []
  if (lat === undefined || lng === undefined) return false
  const label = encodeURIComponent(name)
  if (/Android/.test(agent)) location.href = `geo:${lat},${lng}?q=${lat},${lng}(${label})`
  else if (/iPhone|iPad/.test(agent)) location.href = `maps://?ll=${lat},${lng}&q=${label}`
  else open(`${WEB_MAP}?position=${lng},${lat}&name=${label}&coordinate=wgs84`, '_blank', 'noopener')
  return true
}
