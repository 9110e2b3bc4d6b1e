import {
  type EmscriptenModuleLoader,
  newQuickJSWASMModuleFromVariant,
  type QuickJSEmscriptenModule,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'

const PAGE = 64 << 10
/** The variant is linked with this much memory to begin with. */
const INITIAL_PAGES = 256
/** What the engine's own data, its native stack and the bookkeeping of the heap take of it (measured). */
const OWN_BYTES = 5 << 20

/** An engine that aborts while it is freed says so by an exception; the console need not know. */
const QUIET = { printErr: () => undefined }

/** QuickJS with a WebAssembly memory of its own, so that a damaged one is dropped whole. */
export interface QuickJs {
  readonly module: QuickJSWASMModule
  /** True once the guest has filled most of its memory: an error without words is then "out of memory". */
  pressed(): boolean
}

/** Makes a fresh engine whose scripts can take up to `memoryBytes`. */
export type LoadQuickJs = (memoryBytes: number) => Promise<QuickJs>

/**
 * Loader over a variant's two parts, imported statically by its owner so that a bundle is one file: a worker that may fetch nothing
 * can load it.
 *
 * The limit on memory is the `maximum` of the WebAssembly memory itself. QuickJS's own limit does not hold here: this build cannot
 * ask how large an allocation is and counts a few bytes for each ("malloc_usable_size unavailable").
 */
export function quickJsLoader(
  ffi: Awaited<ReturnType<QuickJSSyncVariant['importFFI']>>,
  moduleLoader: EmscriptenModuleLoader<QuickJSEmscriptenModule>,
): LoadQuickJs {
  return async (memoryBytes) => {
    const maximum = Math.max(INITIAL_PAGES, Math.ceil((OWN_BYTES + memoryBytes) / PAGE))
    const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum })
    const ballast = maximum * PAGE - OWN_BYTES - memoryBytes
    const module = await newQuickJSWASMModuleFromVariant({
      type: 'sync',
      importFFI: async () => ffi,
      importModuleLoader: async () => async (options) => {
        const loaded = await moduleLoader({ ...options, ...QUIET, wasmMemory: memory })
        if (ballast >= PAGE) loaded._malloc(ballast)
        return loaded
      },
    })
    return { module, pressed: () => ballast >= PAGE || memory.buffer.byteLength > INITIAL_PAGES * PAGE }
  }
}
