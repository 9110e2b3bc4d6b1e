import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'

/**
 * A fresh QuickJS: its own WebAssembly memory, so a damaged one is dropped whole. The compiled bytes come embedded in the
 * variant's file: a worker that may fetch nothing can load it.
 */
export type LoadQuickJs = () => Promise<QuickJSWASMModule>

/** Loader over a variant's two parts, imported statically by its owner so that a bundle is one file. */
export function quickJsLoader(
  ffi: Awaited<ReturnType<QuickJSSyncVariant['importFFI']>>,
  moduleLoader: Awaited<ReturnType<QuickJSSyncVariant['importModuleLoader']>>,
): LoadQuickJs {
  return () =>
    newQuickJSWASMModuleFromVariant({
      type: 'sync',
      importFFI: async () => ffi,
      importModuleLoader: async () => moduleLoader,
    })
}
