const PLACE = /^geo:(-?[\d.]+),(-?[\d.]+)(?:\?q=(.*))?$/
/** Map for devices without a map app. It is only a link; nothing is loaded from it. */
const WEB_MAP = 'https://uri.amap.com/marker'

/**
 * Shows a place (`geo:lat,lng?q=name`, WGS-84) on a map: in the app of a phone, elsewhere on the web.
 *
 * @returns false for an invalid place
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
