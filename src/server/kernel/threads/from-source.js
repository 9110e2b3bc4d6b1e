// Runs a thread from its TypeScript source, for tests: the module is the thread's first argument. Builds do not need it.
import { register } from 'tsx/esm/api'

register()
await import(process.argv[2] ?? '')
