import type { Resource } from './resource.ts'

/** The business half: one line per resource. */
export const RESOURCES: readonly Resource[] = []
