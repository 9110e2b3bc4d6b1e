import type { Json } from '../../../runtime/core/json.ts'
import type { Device } from '../../../runtime/core/ports.ts'
import { metresBetween, pointOf } from '../../contract/metres-between.ts'

const LOCATE_MS = 10_000
/** Maximum age of a cached position. */
const PLACE_AGE_MS = 60_000

/** The position of the device, from the browser; with the distance in metres if `from` is a place. */
export function locate(from: Json = null): ReturnType<Device['locate']> {
  return new Promise((resolve) => {
    if (!('geolocation' in navigator)) return resolve('unavailable')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const position = {
          lng: Math.round(coords.longitude * 1e6) / 1e6,
          lat: Math.round(coords.latitude * 1e6) / 1e6,
        }
        const origin = pointOf(from)
        const distance = origin === null ? {} : { distance: metresBetween(position, origin) }
        resolve({ ...position, accuracy: Math.round(coords.accuracy), ...distance })
      },
      (error) => resolve(error.code === error.PERMISSION_DENIED ? 'refused' : 'unavailable'),
      { timeout: LOCATE_MS, maximumAge: PLACE_AGE_MS, enableHighAccuracy: true },
    )
  })
}
