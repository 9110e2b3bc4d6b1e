import type { FileHandle } from '../core/ports.ts'
import { CloudError, toCloudError } from './cloud-error.ts'
import type { CloudPorts } from './cloud-ports.ts'
import { PARALLEL_UPLOADS } from './limits.ts'
import type { Provider, UploadProgress } from './provider.ts'

const PREFIX = 'chooseAndUploadFile'

/** A file as a chooser returns it. */
export interface ChosenFile {
  readonly file: FileHandle
  /** Its path in the chooser; default the file's name. */
  readonly path?: string
  readonly cloudPath?: string
  readonly cloudPathAsRealPath?: boolean
}

export interface UploadedFile {
  readonly file: FileHandle
  readonly name: string
  readonly path: string
  readonly size: number
  readonly fileType: string
  readonly cloudPath: string
  readonly cloudPathAsRealPath?: boolean
  /** The file id after the upload. */
  readonly url?: string
  /** The error of the upload. */
  readonly errMsg?: string
}

export interface ChosenFiles {
  readonly errMsg: string
  readonly tempFilePaths: readonly string[]
  readonly tempFiles: readonly UploadedFile[]
}

export interface ChooseOptions {
  /** Default `all`. */
  readonly type?: 'image' | 'video' | 'all'
  /** Opens the device's chooser; if absent, files of this type cannot be chosen. Rejects if the user cancels. */
  readonly choose?: () => Promise<readonly ChosenFile[]>
  /** Called between choosing and uploading: no result keeps the files, `false` ends without files, anything else replaces them. */
  readonly onChooseFile?: (files: ChosenFiles) => unknown
  readonly onUploadProgress?: (progress: FileProgress) => void
}

export interface FileProgress extends UploadProgress {
  readonly index: number
  readonly tempFile: UploadedFile
  readonly tempFilePath: string
}

/** Chooses files and uploads five at a time; a failed file does not fail the others (PROTOCOL 1.9). */
export async function chooseAndUpload(
  ports: CloudPorts,
  uploadFile: Provider['uploadFile'],
  options: ChooseOptions,
): Promise<ChosenFiles> {
  const chosen = await chooseFiles(ports, options)
  const answer = (await options.onChooseFile?.(chosen)) as ChosenFiles | false | undefined
  if (answer === false) return { errMsg: `${PREFIX}:ok`, tempFilePaths: [], tempFiles: [] }
  const selected = answer ?? chosen
  const upload = (tempFile: UploadedFile, index: number) => uploadOne(uploadFile, options, tempFile, index)
  return {
    ...selected,
    errMsg: `${PREFIX}:ok`,
    tempFiles: await inParallel(selected.tempFiles, PARALLEL_UPLOADS, upload),
  }
}

async function chooseFiles(ports: CloudPorts, options: ChooseOptions): Promise<ChosenFiles> {
  if (!options.choose) throw new CloudError({ message: `${PREFIX}:fail ${ports.text('cloud.choose-type')}` })
  try {
    const files = await options.choose()
    const now = ports.clock.now()
    const type = options.type === 'all' ? '' : (options.type ?? '')
    const tempFiles = files.map((file, index) => describe(file, type, now, index))
    return { errMsg: `${PREFIX}:ok`, tempFilePaths: tempFiles.map((file) => file.path), tempFiles }
  } catch (thrown) {
    const error = toCloudError(thrown)
    throw error.with({ message: error.errMsg.replace(/^choose(Image|Video|File):fail/, `${PREFIX}:fail`) })
  }
}

function describe(file: ChosenFile, fileType: string, now: number, index: number): UploadedFile {
  const path = file.path ?? file.file.name
  const name = file.file.name || path.slice(path.lastIndexOf('/') + 1)
  return {
    file: file.file,
    name,
    path,
    size: file.file.size,
    fileType,
    cloudPath: file.cloudPath ?? cloudPathOf(name, now, index),
    ...(file.cloudPathAsRealPath ? { cloudPathAsRealPath: true } : {}),
  }
}

/** `<now>_<index>` and the extension of the name from its last dot on; a name without a dot is used as a whole. */
export function cloudPathOf(name: string, now: number, index: number | string): string {
  const ending = name.includes('.') ? (/\.[^./\\:]*$/.exec(name)?.[0] ?? '') : name.replace(/[/\\:]/g, '')
  return `${now}_${index}${ending}`
}

async function uploadOne(
  uploadFile: Provider['uploadFile'],
  options: ChooseOptions,
  tempFile: UploadedFile,
  index: number,
): Promise<UploadedFile> {
  const { file, path, cloudPath, cloudPathAsRealPath } = tempFile
  const onUploadProgress = (progress: UploadProgress) =>
    options.onUploadProgress?.({ ...progress, index, tempFile, tempFilePath: path })
  try {
    const reply = await uploadFile({ file, filePath: path, cloudPath, cloudPathAsRealPath, onUploadProgress })
    return { ...tempFile, url: reply.fileID }
  } catch (thrown) {
    return { ...tempFile, errMsg: toCloudError(thrown).errMsg }
  }
}

/** Processes the items, at most `most` at once; results are in the order of the items. */
async function inParallel<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Map<number, R>()
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) results.set(index, await work(item, index))
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result)
}
