import loader from '@jitl/quickjs-singlefile-browser-release-sync/emscripten-module'
import { QuickJSFFI } from '@jitl/quickjs-singlefile-browser-release-sync/ffi'
import { quickJsLoader } from './quickjs-module.ts'

/** QuickJS for the browser worker. */
export const browserQuickJs = quickJsLoader(QuickJSFFI, loader)
