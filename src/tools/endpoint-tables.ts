import { readdirSync, readFileSync } from 'node:fs'
import type { ModuleDescription } from '../model/description.ts'
import { labelText } from '../model/labels.ts'
import { asMerged, type MergedModule } from '../model/merge-module.ts'
import { type ApiCall, callsOf, fieldRows } from '../server/flows/openapi/document.ts'
import { routesOfServer } from '../server/http/routes-of-server.ts'
import { table } from './markdown.ts'

/** `schemas/ENDPOINTS.md`: every module of the product with its fields and calls, then all other calls. */
export async function endpointTables(modulesDir: string): Promise<string> {
  const modules = readModules(modulesDir)
  const calls = callsOf(await routesOfServer(), modules)
  const parts = [...modules.values()].map((module) => {
    const of = calls.filter(({ path }) => path.startsWith(`/mini/${module.name}/`))
    return `## ${labelText(module.label)} \`${module.name}\`\n\n${fieldTable(module)}\n\n${callTable(of)}`
  })
  const others = calls.filter(({ path }) => !modules.has(path.split('/')[2] ?? ''))
  return [
    '# Endpoints and fields',
    'Written by `npm run generate` out of `schemas/modules` and the routes of the server; do not edit. What a tenant adds stands in its own `/openapi.json`.',
    ...parts,
    `## Other calls\n\n${callTable(others)}`,
    '',
  ].join('\n\n')
}

function readModules(folder: string): ReadonlyMap<string, MergedModule> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
  const modules = files.map(
    (name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as ModuleDescription,
  )
  return new Map(modules.map((module) => [module.name, asMerged(module, 'vendor')]))
}

function fieldTable(module: MergedModule): string {
  const rows = fieldRows(module).map((row) => {
    const field = module.fields.find(({ name }) => name === row.name)
    const needed =
      field?.required === true
        ? 'yes'
        : field?.required === undefined || field.required === false
          ? ''
          : 'by rule'
    const more = [field?.dict, field?.module].filter((one) => one !== undefined).join(', ')
    return [`\`${row.name}\``, String(row.label), String(row.kind), more, needed, String(row.operators)]
  })
  return table(['Field', 'Label', 'Kind', 'Dictionary or module', 'Needed', 'Filter'], rows)
}

const callTable = (calls: readonly ApiCall[]): string =>
  table(
    ['', 'Path', 'Right', 'What'],
    calls.map(({ method, path, permission, title, isPublic }) => [
      method.toUpperCase(),
      `\`${path}\``,
      permission ?? (isPublic ? 'nobody has to be signed in' : ''),
      title,
    ]),
  )
