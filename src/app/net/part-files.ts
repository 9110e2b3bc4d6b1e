/** Files that have come, and those on their way, by address. Null before the first part is asked for. */
let files: Map<string, true | Promise<void>> | null = null

/**
 * Loads a part of the app once all its files are on the device. Stands in for Vite's own helper around `import()`: browsers keep the failure
 * of a script that was imported or preloaded as a module, and never ask for it again while the page is open. A fetch may be
 * repeated; what it brought is then imported from the browser's cache.
 * @param load      imports the part
 * @param needed    files of the part and of what it imports, relative to `importer`
 * @param importer  address of the script that asks
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

/** @returns true for a file that has come */
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

/** What the start page names itself: the app would not run without. */
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
