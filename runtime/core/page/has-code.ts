import { isObject, type JsonObject } from '../json.ts'

/** A key whose text is code: `onChange`, `functions`, `dataHandlerCode` (HOOKS 1, 5.1). */
export function isCodeKey(key: string): boolean {
  return /^on[A-Z]/.test(key) || key === 'functions' || key.endsWith('HandlerCode')
}

/** True when any code slot of the object itself is filled. */
function holdsCode(object: unknown): boolean {
  if (!isObject(object)) return false
  for (const key in object) {
    if (isFilled(object[key]) && isCodeKey(key)) return true
  }
  return false
}

/** True when the form or one of its data sources brings code. */
export function configHasCode(config: JsonObject): boolean {
  const sources = Array.isArray(config.dataSources) ? config.dataSources : []
  return holdsCode(config) || sources.some(holdsCode)
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}
