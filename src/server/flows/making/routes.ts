import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { ModuleDescription } from '../../../model/description.ts'
import { guessFields, guessStates } from '../../../model/guess-fields.ts'
import { isKindName, kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource, Services } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { readOverrides } from '../../kernel/model/overrides.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import {
  applyDefinitions,
  type Definitions,
  definitionsOf,
  planOf,
  readDefinitions,
} from '../modelling/definition-file.ts'
import { kindItems } from '../modelling/field-form.ts'
import { modelWriter } from '../modelling/model-writer.ts'
import { guessForm, moduleForm } from '../modelling/module-form.ts'
import { newModule } from '../modelling/new-module.ts'
import { body, NAME } from '../modelling/route-schemas.ts'
import { saveModule } from '../modelling/save-module.ts'
import { shareModule } from '../modelling/share-module.ts'
import { USUAL } from '../modelling/switched.ts'
import { readTemplates } from '../modelling/templates.ts'
import { findOwnFile, readFileContent } from '../sheets/import-file.ts'
import { readRows } from '../sheets/read-sheet.ts'
import { textOf } from '../sheets/row-reader.ts'
import { storeGenerated } from '../work/result-file.ts'
import { fileText } from './file-text.ts'

const config = { permission: 'system:form' } as const
/** Number of rows from which the kinds of columns are guessed. */
const SAMPLE_ROWS = 200
const FILE_ID = { type: 'string', maxLength: 64 } as const

/** The screens that create a module in one sheet, from a template or the header of a file, and export and import definitions. */
export const moduleScreenRoutes: Resource = (app, services) => {
  const write = modelWriter(app, services)
  addModuleSheet(app, services, write)
  addDefinitionFiles(app, services, write)
}

type WriteModel = ReturnType<typeof modelWriter>

/** The sheet of a new module: templates, a guess from a file, and creating it. */
function addModuleSheet(app: FastifyInstance, services: Services, write: WriteModel): void {
  const { schemasDir } = services.config

  app.get('/engine/web/module/start', { config }, (request) =>
    runRead(services, callerOf(request), async (ctx) => {
      const templates = await readTemplates(schemasDir)
      return {
        templates: [
          { value: '', label: text('model.blank') },
          ...templates.map(({ name, label }) => ({ value: name, label: labelText(label) })),
        ],
        kinds: rowKinds(templates),
        belongs: [
          { value: '', label: text('model.belongs-nowhere') },
          ...[...ctx.model.modules.values()].filter(hasTabs).map(({ name, label }) => ({
            value: name,
            label: labelText(label),
          })),
        ],
        roles: await rolesToShare(ctx),
      }
    }),
  )

  app.get<{ Querystring: { name?: string } }>(
    '/engine/web/module/template',
    {
      config,
      schema: { querystring: { type: 'object', properties: { name: { type: 'string', maxLength: 40 } } } },
    },
    async (request) => {
      const { name = '' } = request.query
      if (name === '') return { form: blankForm() }
      const found = (await readTemplates(schemasDir)).find((one) => one.name === name)
      return {
        form: found === undefined ? refuse(404, 'NOT_FOUND', text('model.unknown')) : moduleForm(found),
      }
    },
  )

  app.post<{ Body: { fileId?: string; header?: string } }>(
    '/engine/web/module/guess/list',
    {
      config,
      schema: {
        body: {
          type: 'object',
          properties: {
            fileId: { type: ['string', 'null'], maxLength: 64 },
            header: { type: ['string', 'null'], maxLength: 10_000 },
          },
        },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const { fileId, header } = request.body
      const cells = fileId
        ? await cellsOfFile(services, caller, fileId)
        : (header ?? '').split('\n').map((line) => line.split(/\t|[,，]/))
      const [titles = [], ...rows] = cells
      const fields = guessFields(titles, rows)
      if (fields.length === 0) refuse(400, 'VALIDATION', text('model.no-header'))
      return guessForm(fields, guessStates(text('model.status'), titles, rows))
    },
  )

  write<{ form: JsonObject }>(
    '/engine/web/module/create',
    body({ form: { type: 'object' } }, ['form']),
    async ({ form }, saving, ctx) => {
      const description = await newModule(form, ctx, schemasDir)
      const version = await saveModule(description as unknown as Json, 0, saving)
      const people = await shareModule(description, form.roles, form.scope, ctx)
      return { name: description.name, version, data: { name: description.name }, people }
    },
  )
}

/** Definitions as a file: export, check, import. */
function addDefinitionFiles(app: FastifyInstance, services: Services, write: WriteModel): void {
  const { modules: library, pages } = services
  app.post<{ Body: { names?: readonly string[] } }>(
    '/engine/web/module/export',
    {
      config,
      schema: body({ names: { type: 'array', maxItems: 60, items: NAME } }, []),
    },
    async (request) => {
      const caller = callerOf(request)
      const definitions = await runRead(services, caller, async (ctx) =>
        definitionsOf(await readOverrides(ctx.trx, caller.tenantId), request.body.names ?? [], ctx),
      )
      const content = Buffer.from(`${JSON.stringify(definitions, null, 2)}\n`)
      const title = text('model.file.name')
      const file = {
        title,
        entity: 'module',
        name: `${title}.json`,
        ext: 'json',
        mime: 'application/json',
        content,
      }
      return { url: await storeGenerated(services, caller, file) }
    },
  )

  app.post<{ Body: { fileId: string } }>(
    '/engine/web/module/import/check',
    { config, schema: { body: { type: 'object', required: ['fileId'], properties: { fileId: FILE_ID } } } },
    async (request) => {
      const caller = callerOf(request)
      const definitions = readDefinitions(await fileText(services, caller, request.body.fileId))
      return runRead(services, caller, async (ctx) => {
        const steps = planOf(definitions, ctx, { trx: ctx.trx, caller, library, pages })
        return {
          list: steps.map((step, i) => ({ id: i, ...step, word: text(`model.file.${step.what}`) })),
          fits: steps.every(({ what }) => what !== 'refused'),
        }
      })
    },
  )
  write<{ fileId: string }, Definitions>(
    '/engine/web/module/import',
    body({ fileId: FILE_ID }, ['fileId']),
    async (_, saving, ctx, definitions) => {
      const overrides = await readOverrides(saving.trx, ctx.caller.tenantId)
      const names = await applyDefinitions(definitions, overrides, ctx, saving)
      return { name: names.join(',').slice(0, 60), version: 0, data: { modules: [...names] } }
    },
    {
      prepare: async ({ fileId }, caller) => readDefinitions(await fileText(services, caller, fileId)),
      alone: text('model.file.second-person'),
    },
  )
}

const blankForm = (): JsonObject => ({
  label: '',
  name: '',
  number: 'NO{yyyyMMdd}{000}',
  belongs: 'customer',
  behaviours: [...USUAL],
  states: true,
  states_text: text('model.states'),
  rows: [{ name: null, label: text('model.title'), kind: 'text', required: true, options: '' }],
})

/** Product modules whose detail page has tabs, and own modules: there a list of related records can be shown. */
const TABBED: ReadonlySet<string> = new Set([
  'customer',
  'lead',
  'bussiness',
  'contract',
  'contact',
  'product',
  'activity',
])
const hasTabs = ({ name, origin }: { readonly name: string; readonly origin: string }): boolean =>
  origin === 'tenant' || TABBED.has(name)

/** Roles to which permissions on a new module can be granted; roles that may change forms have them anyway. */
async function rolesToShare({ trx, caller }: CallContext): Promise<readonly JsonObject[]> {
  const { rows } = await sql<{ value: string; label: string }>`select id as value, name as label from role
    where tenant_id = ${caller.tenantId} and deleted_at is null
      and not permissions @> '["*"]'::jsonb and not permissions @> '["system:form"]'::jsonb
    order by sort, id`.execute(trx)
  return rows.map((row) => ({ ...row }))
}

async function cellsOfFile(
  services: Services,
  caller: ReturnType<typeof callerOf>,
  fileId: string,
): Promise<readonly (readonly string[])[]> {
  await runRead(services, caller, (ctx) => findOwnFile(fileId, ctx))
  const content = await readFileContent(services, caller.tenantId, fileId)
  const rows = await readRows(caller.tenantId, content, 5000)
  return rows.slice(0, SAMPLE_ROWS + 1).map(({ cells }) => cells.map((cell) => textOf(cell)))
}

/** The kinds of a row; a kind that only a template's own rows can have is shown but not offered. */
function rowKinds(templates: readonly ModuleDescription[]): readonly JsonObject[] {
  const templateKinds = new Set<Json>(templates.flatMap(({ fields }) => fields.map(({ kind }) => kind)))
  return kindItems().flatMap((item) => {
    const { value = null } = item
    if (needsOptions(value)) return [item]
    return templateKinds.has(value) ? [{ ...item, disabled: true }] : []
  })
}

/** A row asks for the options of a choice, but for no other attributes of a kind. */
const needsOptions = (kind: Json): boolean =>
  isKindName(kind) && (kindOf(kind).needs ?? []).every((ways) => ways.includes('options'))
