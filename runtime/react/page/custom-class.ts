import type { Json } from '../../core/json.ts'

const CLASS_NAME = /^[\p{L}_-][\p{L}\p{N}_-]*$/u
/** Ours begin so; a page has its own looks, not ours. */
const OURS = /^(?:vf-|adm-)/

/** The class names of an option `customClass`: a text or a list; what is no class name is left out. */
export function customClasses(custom: Json | undefined): readonly string[] {
  const list = Array.isArray(custom)
    ? (custom as readonly Json[])
    : typeof custom === 'string'
      ? custom.split(/\s+/)
      : []
  return list.filter(
    (name): name is string => typeof name === 'string' && CLASS_NAME.test(name) && !OURS.test(name),
  )
}
