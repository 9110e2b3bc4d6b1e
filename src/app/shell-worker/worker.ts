/**
 * The service worker: caches the app's own files, so that it opens without network; shows push messages while the app is closed; and stores shared
 * pictures until a page takes them. It handles neither data nor tokens: product calls are not intercepted. Each build writes its list of files into
 * it, so browsers detect every new version.
 */

import { handleAppMessage, openTapped, showPush, type Tapped } from './pushes.ts'
import { SHARE_PATH, takeShare } from './shared.ts'

/** Filled in by the build: hashed names under `assets/`. */
declare const __SHELL_FILES__: readonly string[]

interface Extendable extends Event {
  waitUntil(task: Promise<unknown>): void
}
interface Fetching extends Extendable {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}
interface Pushed extends Extendable {
  readonly data: { text(): string } | null
}
interface MessageReceived extends Extendable {
  readonly data: unknown
}
interface Clicked extends Extendable {
  readonly notification: { readonly data: Tapped; close(): void }
}
interface WorkerScope {
  readonly location: { readonly origin: string }
  readonly clients: { claim(): Promise<void> } & Parameters<typeof showPush>[2]
  readonly registration: Parameters<typeof showPush>[1]
  readonly navigator: Parameters<typeof showPush>[3]
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void
  addEventListener(type: 'message', listener: (event: MessageReceived) => void): void
  addEventListener(type: 'push', listener: (event: Pushed) => void): void
  addEventListener(type: 'notificationclick', listener: (event: Clicked) => void): void
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void
}

const scope = globalThis as unknown as WorkerScope
const CACHE = 'shell'
const START = './'
const HOME = new URL(START, location.href).pathname
const FILES = __SHELL_FILES__
/** Network timeout in milliseconds, after which the cached page is used. */
const TIMEOUT_MS = 3_000

async function install(): Promise<void> {
  const cache = await caches.open(CACHE)
  const missing = await Promise.all(
    FILES.map(async (file) => ((await cache.match(file)) === undefined ? [file] : [])),
  )
  await cache.addAll([START, ...missing.flat()])
}

/** Runs when no page of an older version is open any more. */
async function activate(): Promise<void> {
  const cache = await caches.open(CACHE)
  const currentFiles = new Set([START, ...FILES].map((file) => new URL(file, location.href).href))
  const stale = (await cache.keys()).filter(({ url }) => !currentFiles.has(url))
  await Promise.all(stale.map((request) => cache.delete(request)))
  await scope.clients.claim()
}

/** The newest start page; the cached one if the network is unavailable or too slow. */
async function start(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const fresh = fetch(request).then((response) => {
    if (response.ok) void cache.put(START, response.clone()).catch(() => undefined)
    return response
  })
  const timeout = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), TIMEOUT_MS))
  const first = await Promise.race([fresh.catch(() => undefined), timeout])
  return first ?? (await cache.match(START)) ?? fresh
}

/** Files with hashed names never change: a cached one is always valid. */
async function file(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const cached = await cache.match(request)
  if (cached) return cached
  const response = await fetch(request)
  // If the disk is full nothing is cached, but the response is used.
  if (response.ok) await cache.put(request, response.clone()).catch(() => undefined)
  return response
}

scope.addEventListener('install', (event) => event.waitUntil(install()))
scope.addEventListener('activate', (event) => event.waitUntil(activate()))
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== scope.location.origin) return
  if (request.method === 'POST' && request.mode === 'navigate' && pathname.endsWith(SHARE_PATH))
    return event.respondWith(takeShare(request, Date.now()))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && (pathname === HOME || pathname.endsWith('/index.html')))
    event.respondWith(start(request))
  else if (pathname.includes('/assets/')) event.respondWith(file(request))
})
scope.addEventListener('message', (event) => event.waitUntil(handleAppMessage(event.data)))
scope.addEventListener('push', (event) =>
  event.waitUntil(showPush(event.data?.text() ?? '', scope.registration, scope.clients, scope.navigator)),
)
scope.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openTapped(event.notification.data, scope.clients))
})
