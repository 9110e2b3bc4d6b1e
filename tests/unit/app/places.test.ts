import { afterEach, describe, expect, it, vi } from 'vitest'
import { locate } from '../../../src/app/device/locate.ts'
import { openMap } from '../../../src/app/device/open-map.ts'
import { metresBetween } from '../../../src/contract/metres-between.ts'

const PHONE = 'Mozilla/5.0 (Linux; Android 14)'
const APPLE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)'
afterEach(() => vi.unstubAllGlobals())

describe('the position of a device', () => {
  const found = (longitude: number, latitude: number) =>
    vi.stubGlobal('navigator', {
      geolocation: {
        getCurrentPosition: (done: (at: unknown) => void) =>
          done({ coords: { longitude, latitude, accuracy: 18.4 } }),
      },
    })
  const lost = (code: number) =>
    vi.stubGlobal('navigator', {
      geolocation: {
        getCurrentPosition: (_: unknown, fail: (error: unknown) => void) =>
          fail({ code, PERMISSION_DENIED: 1 }),
      },
    })

  it('is returned with its distance to the given place in metres', async () => {
    found(113.9341234567, 22.533)
    expect(await locate({ lng: 113.93, lat: 22.53, name: '客户' })).toEqual({
      lng: 113.934123,
      lat: 22.533,
      accuracy: 18,
      distance: 539,
    })
    for (const nowhere of [null, 'x', { lng: null, lat: 1 }])
      expect(await locate(nowhere)).toEqual({ lng: 113.934123, lat: 22.533, accuracy: 18 })
  })

  it('fails if it is denied, times out, or is unavailable', async () => {
    lost(1)
    expect(await locate()).toBe('refused')
    lost(3)
    expect(await locate()).toBe('unavailable')
    vi.stubGlobal('navigator', {})
    expect(await locate()).toBe('unavailable')
  })
})

describe('the distance between two places in metres', () => {
  it('is symmetric, 0 to itself, and at most half the circumference of the earth', () => {
    const [beijing, shanghai] = [
      { lng: 116.407, lat: 39.904 },
      { lng: 121.474, lat: 31.23 },
    ]
    expect(metresBetween(beijing, beijing)).toBe(0)
    expect(metresBetween(beijing, shanghai)).toBe(metresBetween(shanghai, beijing))
    expect(metresBetween(beijing, shanghai) / 1000).toBeCloseTo(1067, -1)
    expect(metresBetween({ lng: 0, lat: 0 }, { lng: 180, lat: 0 })).toBe(20_015_087)
  })
})

describe('the map link of the device', () => {
  it('opens the map app on a phone, a map on the web elsewhere, and nothing for an invalid place', () => {
    const place = { href: '' }
    const opened: string[] = []
    vi.stubGlobal('location', place)
    vi.stubGlobal('open', (url: string) => opened.push(url))

    expect(openMap('geo:22.53,113.93?q=华信 & 软件', PHONE)).toBe(true)
    expect(place.href).toBe('geo:22.53,113.93?q=22.53,113.93(%E5%8D%8E%E4%BF%A1%20%26%20%E8%BD%AF%E4%BB%B6)')
    expect(openMap('geo:-22.5,113.93', APPLE)).toBe(true)
    expect(place.href).toBe('maps://?ll=-22.5,113.93&q=')
    expect(openMap('geo:22.53,113.93?q=甲', 'Chrome on a desk')).toBe(true)
    expect(opened).toEqual([
      'https://uri.amap.com/marker?position=113.93,22.53&name=%E7%94%B2&coordinate=wgs84',
    ])
    expect(openMap('geo:javascript:alert(1)', PHONE)).toBe(false)
  })
})
