import { nearestType } from './nearest-type.ts'
import type { Checks } from './parse.ts'
import { readJson } from './read-json.ts'
import { checkStructure } from './structure.ts'

/** Checks for a document that nobody has checked yet. */
export const PARSING: Checks = { read: readJson, structure: checkStructure, nearest: nearestType }
