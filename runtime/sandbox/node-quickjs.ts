import loader from '@jitl/quickjs-singlefile-mjs-release-sync/emscripten-module'
import { QuickJSFFI } from '@jitl/quickjs-singlefile-mjs-release-sync/ffi'
import { quickJsLoader } from './quickjs-module.ts'

/** QuickJS for Node: worker threads, the server, tests. */
export const nodeQuickJs = quickJsLoader(QuickJSFFI, loader)
