import type appSettings from '../../schemas/app.json'

/** The product's settings, `schemas/app.json`. */
export type Settings = typeof appSettings
