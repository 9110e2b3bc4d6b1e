import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildStale } from './build.ts'

/** `npm start`: builds what is stale, then runs the server in this process, so that signals reach it. */
await buildStale()
const main = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url))
await import(pathToFileURL(main).href)
