import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Engine, EngineOptions } from '../../runtime/core/engine.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import type { Script, ScriptReport } from '../../runtime/core/ports.ts'
import { aPage, registry } from './a-page.ts'
import { type MemoryWorld, memoryWorld, type Server } from './memory-ports.ts'

/** An open page with code, its ports, and what its code reported to the author and the host. */
export interface ScriptedEngine {
  readonly engine: Engine
  readonly world: MemoryWorld
  readonly reports: readonly ScriptReport[]
  readonly told: readonly (readonly Json[])[]
}

export type ScriptedEngineOptions = Partial<EngineOptions> & { readonly server?: Server }

/** Opens a page of these widgets with ports in memory, its code in the given engine. */
export function aScriptedEngine(
  script: Script,
  widgets: readonly JsonObject[],
  config: JsonObject = {},
  { server, ...options }: ScriptedEngineOptions = {},
): ScriptedEngine {
  const world = memoryWorld({ script, ...(server ? { server } : {}) })
  const engine = createEngine({ page: aPage(widgets, config), registry, ports: world.ports, ...options })
  const reports: ScriptReport[] = []
  const told: (readonly Json[])[] = []
  engine.onReport((report) => reports.push(report))
  engine.onEmit((name, args) => told.push([name, ...args]))
  return { engine, world, reports, told }
}
