import { failure } from '../../../runtime/core/errors.ts'
import type {
  Http,
  HttpRequest,
  HttpResponse,
  Outcome,
  StoredFiles,
  UploadRequest,
} from '../../../runtime/core/ports.ts'

/** Handles the `cloud:` addresses of data sources and upload widgets; a separate chunk, loaded with the first of them. */
export interface CloudCalls extends StoredFiles {
  call(request: HttpRequest): Promise<Outcome<HttpResponse>>
  upload(request: UploadRequest): Promise<Outcome<HttpResponse>>
  /** Deletes the cloud's login token. */
  forgetLogin(): Promise<void>
}

export interface CloudLink {
  readonly http: Http
  /** Resolves ids of stored files to current addresses. */
  readonly files: StoredFiles
  /** Another user or tenant has signed in: the cloud's token is deleted too (SHELL 6). */
  forgetLogin(): void
}

const isCloud = (url: string) => url.startsWith('cloud:')

/** Sends `cloud:` addresses to the cloud and all others to `http`. Fails like a lost network if the chunk cannot be loaded. */
export function linkCloud(http: Http, load: () => Promise<CloudCalls>): CloudLink {
  let loading: Promise<CloudCalls> | undefined
  let loaded: CloudCalls | undefined

  async function open(): Promise<CloudCalls> {
    loading ??= load()
    try {
      loaded = await loading
      return loaded
    } catch (cause) {
      loading = undefined
      throw cause
    }
  }

  async function through(
    act: (calls: CloudCalls) => Promise<Outcome<HttpResponse>>,
  ): Promise<Outcome<HttpResponse>> {
    try {
      return await act(await open())
    } catch (cause) {
      return { ok: false, error: failure('NETWORK', undefined, { cause }) }
    }
  }
  return {
    http: {
      send: (request) =>
        isCloud(request.url) ? through((calls) => calls.call(request)) : http.send(request),
      upload: (request) =>
        isCloud(request.url) ? through((calls) => calls.upload(request)) : http.upload(request),
    },
    files: {
      known: (id) => loaded?.known(id),
      find: async (id) => {
        const calls = await open().catch(() => undefined)
        return calls?.find(id) ?? null
      },
    },
    forgetLogin: () => void loading?.then((calls) => calls.forgetLogin()).catch(() => undefined),
  }
}
