import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

/** Usual paths of an installed browser. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/browser/', import.meta.url))
/** The npm package with the browser; its binary is for Linux only. */
const PACKAGE = '@sparticuz/chromium'
const PACKAGE_PLATFORM = 'linux-x64'
const FONTS = '@expo-google-fonts/noto-sans-sc'

/** A Chromium that runs here, with its environment. */
export interface Chromium {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * The browser: `CHROMIUM_PATH`, then the usual places, then Playwright's own download, then the one installed by npm, which is unpacked at the first
 * use. If the machine has no Chinese fonts, those installed by npm are used.
 *
 * @throws Error with a message if none runs here
 */
export async function findChromium(): Promise<Chromium> {
  const installed =
    process.env.CHROMIUM_PATH || [...PLACES, chromium.executablePath()].find((path) => existsSync(path))
  const fonts = await fontsConfig()
  if (installed !== undefined) return { path: installed, env: fonts }
  const folder = await unpacked()
  return { path: join(folder, 'chromium'), env: { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023/lib') } }
}

/** Starts the browser found by `findChromium`. */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  const { path, env } = await findChromium()
  return chromium.launch({
    executablePath: path,
    env: { ...withoutUndefined(process.env), ...env },
    ...options,
    args: [...ARGS, ...(options.args ?? [])],
  })
}

function withoutUndefined(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** The package unpacks into the temporary folder of its process: here into a separate one, which is renamed when it is complete. */
async function unpacked(): Promise<string> {
  const root = packageFolder(PACKAGE)
  if (root === null || `${platform()}-${arch()}` !== PACKAGE_PLATFORM)
    throw new Error('there is no Chromium on this machine: install one, or name it in CHROMIUM_PATH')
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const folder = join(CACHE, `chromium-${version}`)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  const aside = await mkdtemp(join(CACHE, 'new-'))
  const unpack = `import(${JSON.stringify(PACKAGE)}).then(({ default: one }) => one.executablePath())`
  // The second variable makes the package add libraries that a minimal machine lacks.
  const env = { ...process.env, TMPDIR: aside, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' }
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', unpack], { cwd: root, env })
  try {
    await rename(aside, folder)
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    // Another process was faster.
    if (!existsSync(folder)) throw error
  }
  return folder
}

/** The machine's fonts, and those installed by npm. */
async function fontsConfig(): Promise<Readonly<Record<string, string>>> {
  const root = packageFolder(FONTS)
  if (platform() !== 'linux' || root === null) return {}
  const dirs = ['400Regular', '700Bold'].map((weight) => `<dir>${join(root, weight)}</dir>`).join('')
  const file = join(CACHE, 'fonts.conf')
  const config = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>${dirs}<cachedir>${join(CACHE, 'fonts')}</cachedir></fontconfig>\n`
  if ((await readFile(file, 'utf8').catch(() => '')) !== config) {
    await mkdir(CACHE, { recursive: true })
    const aside = `${file}.${process.pid}`
    await writeFile(aside, config)
    await rename(aside, file)
  }
  return { FONTCONFIG_FILE: file }
}

function packageFolder(name: string): string | null {
  try {
    const found = createRequire(import.meta.url).resolve(name)
    return found.slice(0, found.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length)
  } catch {
    return null
  }
}
