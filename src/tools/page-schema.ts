export function pageSchema(registry: unknown): object {
  return { registry }
}
