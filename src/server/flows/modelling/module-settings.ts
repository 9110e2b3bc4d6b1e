import { sql } from 'kysely'
import { isObject, type Json, type JsonObject, ownValue, sameJson } from '../../../../runtime/core/json.ts'
import type { Field, ModuleDescription } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { numberFaults, numberOf } from './module-form.ts'
import { isLabelOfOther } from './new-module.ts'
import { changeModule, type Saving } from './save-module.ts'
import { movesByOrder, statusChoices } from './statuses.ts'
import { approvalWith, switchedOn, withSwitched } from './switched.ts'

/** The input of the sheet: the module, its settings, and the version with which it was opened. */
export interface SettingsForm {
  readonly module: string
  readonly form: JsonObject
  readonly base: number | undefined
}

/** The sheet 模块设置: what is said of an own module beside its fields. */
export function settingsForm(module: ModuleDescription): JsonObject {
  const field = module.fields.find(({ name }) => name === module.statuses?.field)
  return {
    label: labelText(module.label),
    number: module.number ?? null,
    place: module.menu?.place ?? 'none',
    tile: module.tile === undefined ? null : labelText(module.tile.label),
    behaviours: [...switchedOn(module.behaviours)],
    status: field?.name ?? '',
    moves: (field?.options ?? []).map(({ value, label }) => ({
      label: labelText(label),
      to: [...(module.statuses?.moves[value] ?? [])],
    })),
  }
}

/**
 * Saves the settings of an own module. A concurrent change to a field is no conflict: only the settings are compared.
 *
 * @throws Refusal 400 with the sheet's fields, 404 for a module that is not the tenant's own, 409 with the current settings
 */
export function saveSettings({ module, form, base }: SettingsForm, saving: Saving): Promise<number> {
  if (saving.library.vendor(module) !== undefined) refuse(404, 'NOT_FOUND', text('model.unknown'))
  return changeModule(module, undefined, saving, async (description, version) => {
    const now = settingsForm(described(description))
    if (base !== undefined && base !== version && !sameJson(await settingsAt(module, base, saving), now))
      refuse(409, 'VERSION_CONFLICT', text('model.conflict'), {
        data: { version, current: { ...now, version } },
      })
    const { modules } = await saving.library.within(saving.trx, saving.caller.tenantId)
    const label = wordsOf(form.label)
    if (label !== now.label && isLabelOfOther(label, module, modules))
      refuseFaults({ label: text('model.module-label-taken', { label }) })
    return withSettings(description, form)
  })
}

const described = (description: JsonObject): ModuleDescription => description as unknown as ModuleDescription

async function settingsAt(module: string, version: number, { trx, caller }: Saving): Promise<Json> {
  const { rows } = await sql<{ description: JsonObject }>`select description from module_override
    where tenant_id = ${caller.tenantId} and name = ${module} and version = ${version}`.execute(trx)
  const [was] = rows
  return was === undefined ? null : settingsForm(described(was.description))
}

function withSettings(given: JsonObject, form: JsonObject): JsonObject {
  const { number: _, tile: __, statuses: ___, approval: ____, ...rest } = given
  const module = described(given)
  const behaviours = withSwitched(module.behaviours, form.behaviours)
  const approval = approvalWith(behaviours, module.approval)
  const label = wordsOf(form.label)
  const number = numberOf(form)
  const tile = wordsOf(form.tile)
  // In the order of the sheet: the first one is said.
  refuseFaults({ ...(label === '' ? { label: text('model.no-label') } : {}), ...numberFaults(number) })
  return {
    ...rest,
    label: label === labelText(module.label) ? (given.label ?? label) : label,
    ...(number === '' ? {} : { number }),
    ...(tile === '' ? {} : { tile: { label: tile } }),
    ...statusesOf(module, form),
    menu: {
      ...module.menu,
      place: form.place === 'home' || form.place === 'none' ? form.place : 'work',
    },
    behaviours: [...behaviours],
    ...(approval === undefined ? {} : { approval: approval as unknown as JsonObject }),
    fields: withListsCalled(given.fields, labelText(module.label), label),
  }
}

/** A list on another module's page that was called as the module is called as it is now. */
function withListsCalled(fields: Json | undefined, was: string, label: string): Json {
  return (Array.isArray(fields) ? fields : []).map((field: Json): Json => {
    const inverse = ownValue(field, 'inverse')
    if (!isObject(field) || !isObject(inverse) || inverse.label !== was) return field
    return { ...field, inverse: { ...inverse, label } }
  })
}

/** The chosen transitions; after changing the status field, those of a new module. */
function statusesOf(module: ModuleDescription, { status, moves }: JsonObject): JsonObject {
  const field = statusChoices(module).find(({ name }) => name === status)
  if (field === undefined) return {}
  const isSame = field.name === module.statuses?.field
  return {
    statuses: {
      field: field.name,
      moves: isSame ? chosenMoves(field, moves, { ...module.statuses?.moves }) : movesByOrder(field),
    },
  }
}

/** The sheet has a row for each option, in order; with another number of rows the transitions are ignored. */
function chosenMoves({ options = [] }: Field, rows: Json | undefined, before: JsonObject): JsonObject {
  const values = options.map(({ value }) => value)
  const chosen = (Array.isArray(rows) ? rows : []).map((row) => ownValue(row, 'to'))
  if (chosen.length !== values.length) return before
  return Object.fromEntries(
    values.map((from, i) => {
      const to = chosen[i]
      return [from, values.filter((value) => value !== from && Array.isArray(to) && to.includes(value))]
    }),
  )
}

const wordsOf = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '')
