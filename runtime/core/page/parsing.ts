import { nearestType } from './nearest-type.ts'
import type { Checks } from './parse.ts'
import { readJson } from './read-json.ts'
import { checkStructure } from './structure.ts'

/** How a document is read of which nothing is known yet: whatever it is, the answer is a page or its problems. */
export const PARSING: Checks = { read: readJson, structure: checkStructure, nearest: nearestType }
