import type { Json } from '../../core/json.ts'

const CLASS_NAME = /^[\p{L}_-][\p{L}\p{N}_-]*$/u
/** Prefixes of our own classes, which a page must not use. */
const OURS = /^(?:vf-|adm-)/

/** The class names of the option `customClass`: a text or a list; invalid names are left out. */
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
