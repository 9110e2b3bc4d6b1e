import { hasCode } from '../hooks/hook-code.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { FileHandle, Outcome } from '../ports.ts'
import type { ScriptLink } from './script-link.ts'

/** The code of a field for its files. */
export interface UploadHooks {
  /**
   * The file to be sent: a script may reject it (null) or rename it; an error in the script is only reported to its author.
   * Fails while no script can run.
   */
  beforeUpload(key: NodeKey, file: FileHandle): Promise<Outcome<FileHandle | null>>
  /** The value stored instead of the server's answer; null: that answer. */
  afterUpload(key: NodeKey, args: readonly Json[]): Promise<Outcome<Json>>
  fire(key: NodeKey, hook: 'onUploadError' | 'onFileRemove', args: readonly Json[]): void
}

export function createUploadHooks(model: Model, link: ScriptLink): UploadHooks {
  /** Runs the widget's hook, or the handler a script has set instead; null if there is neither. */
  async function runHook(
    key: NodeKey,
    hook: string,
    handler: string,
    args: readonly Json[],
  ): Promise<Outcome<Json>> {
    const { options } = model.node(key)
    return hasCode(options[hook]) || options[handler] === true
      ? link.ask({ hook, key, args })
      : { ok: true, value: null }
  }
  return {
    async beforeUpload(key, file) {
      const answer = await runHook(key, 'onBeforeUpload', 'beforeUploadHandler', [asJson(file)])
      if (!answer.ok && answer.error.code === 'SCRIPT_UNAVAILABLE') return answer
      if (answer.ok && answer.value === false) return { ok: true, value: null }
      const name = answer.ok && isObject(answer.value) ? answer.value.name : ''
      return { ok: true, value: typeof name === 'string' && name !== '' ? { ...file, name } : file }
    },
    afterUpload: (key, args) => runHook(key, 'onUploadSuccess', 'afterUploadHandler', args),
    fire(key, hook, args) {
      if (hasCode(model.pageNode(key)?.options[hook])) link.commit([], [{ hook, key, args }])
    },
  }
}

/** The properties of a file that a script can read. */
export const asJson = ({ name, size, type }: FileHandle): JsonObject => ({ name, size, type })
