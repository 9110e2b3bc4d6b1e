/** Loaded files and running requests, by address. Null before the first part is requested. */
let files: Map<string, true | Promise<void>> | null = null

/**
 * Loads a part of the app once all its files have been fetched. Replaces Vite's helper for `import()`: browsers remember the failure of a module
 * script or preload and never request it again while the page is open. A fetch can be repeated; its result is then imported from the browser's cache.
 * @param load      imports the part
 * @param needed    files of the part and of its imports, relative to `importer`
 * @param importer  address of the importing script
 */
export async function loadPart<T>(
  load: () => Promise<T>,
  needed: readonly string[] = [],
  importer: string,
): Promise<T> {
  const coming = needed.map((file) => bring(new URL(file, importer).href)).filter((file) => file !== true)
  if (coming.length > 0) await Promise.all(coming)
  return load()
}

/** @returns true for a loaded file */
function bring(address: string): true | Promise<void> {
  files ??= new Map(ofStartPage().map((file) => [file, true]))
  const known = files.get(address)
  if (known !== undefined) return known
  const task = fetchFile(address)
  files.set(address, task)
  task.then(
    () => files?.set(address, true),
    () => files?.delete(address),
  )
  return task
}

/** The files named by the start page, which the app has loaded already. */
const ofStartPage = (): string[] => [
  ...[...document.scripts].map(({ src }) => src),
  ...[...document.querySelectorAll('link')].map(({ href }) => href),
]

async function fetchFile(address: string): Promise<void> {
  if (address.endsWith('.css')) return addStyle(address)
  const answer = await fetch(address)
  if (!answer.ok) throw new TypeError(`${address} answered ${answer.status}`)
  await answer.arrayBuffer()
}

function addStyle(address: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = address
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      reject(new TypeError(`${address} did not come`))
    })
    document.head.append(link)
  })
}
