import {
  type EmscriptenModuleLoader,
  newQuickJSWASMModuleFromVariant,
  type QuickJSEmscriptenModule,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'

const PAGE = 64 << 10
/** Initial memory that the variant is linked with, in WebAssembly pages. */
const INITIAL_PAGES = 256
/** Memory for the engine's data, its native stack and the heap's bookkeeping (measured). */
const OWN_BYTES = 5 << 20

/** An engine that aborts while it is freed throws an exception, so it need not print to the console. */
const QUIET = { printErr: () => undefined }

/** QuickJS with its own WebAssembly memory, so that a damaged one can be discarded as a whole. */
export interface QuickJs {
  readonly module: QuickJSWASMModule
  /** True once the guest has filled most of its memory: an error without a message is then "out of memory". */
  pressed(): boolean
}

/** Creates an engine whose scripts can use up to `memoryBytes`. */
export type LoadQuickJs = (memoryBytes: number) => Promise<QuickJs>

/**
 * A loader of the two parts of a variant. Their owner imports them statically, so that the bundle is one file: a worker that must not fetch anything
 * can load it.
 *
 * The memory limit is the `maximum` of the WebAssembly memory. QuickJS's own limit does not work here: this build cannot query the size of an
 * allocation and counts a few bytes for each ("malloc_usable_size unavailable").
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
