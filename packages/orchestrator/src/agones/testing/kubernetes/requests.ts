import type { Access } from './access'
import type { KubeApi } from './api'
import { discovered } from './discovery'
import { Faults } from './faults'
import { type Fields, PODS, RESOURCES, type Resource } from './objects'
import { selectorOf } from './selectors'
import { ApiStatus, expired } from './status'
import { isStatus, Watch } from './watches'

export interface ApiRequest {
  readonly method: string
  readonly url: URL
  readonly body: Fields
  readonly type: string | undefined
  /** Media types that the caller accepts. Default: any type. */
  readonly accept?: string | undefined
}

/**
 * Functions that send the answer to one request to its caller. The transport provides them. At most one of the
 * functions is called, and only once.
 */
export interface Reply {
  answer(code: number, body: object | string, headers?: Readonly<Record<string, string>>): void
  /** Ends the connection without an answer. */
  drop(): void
  /**
   * Begins a stream as the answer: of objects, one object in each line, or of text. `closed` is called when the reader
   * has closed the stream.
   */
  stream(closed: () => void): OpenStream
}

export interface OpenStream {
  send(line: object | string): void
  end(): void
  /** Ends the stream without the final part that shows that it is complete. */
  cut(): void
}

interface Target {
  readonly access: Access
  readonly resource: Resource
  readonly namespace: string
  readonly name: string | undefined
  readonly subresource: string | undefined
}

/**
 * Carries out the calls of the Kubernetes API, with the faults that a test sets. A transport passes the calls to this
 * class.
 */
export class Requests {
  readonly faults = new Faults()
  private readonly streams = new Map<OpenStream, Watch>()

  constructor(
    readonly api: KubeApi,
    /** Calls `work` after some milliseconds. Returns a function that cancels the call. */
    private readonly after: (ms: number, work: () => void) => () => void,
  ) {
    api.store.subscribe((event) => {
      for (const watch of [...this.streams.values()]) watch.hear(event)
    })
  }

  /** Number of open watches. */
  get watches(): number {
    return this.streams.size
  }

  cutWatches(): void {
    for (const stream of [...this.streams.keys()]) this.cut(stream)
  }

  bookmark(): void {
    for (const watch of this.streams.values()) watch.bookmark()
  }

  handle(request: ApiRequest, reply: Reply): void {
    try {
      this.route(request, reply)
    } catch (error) {
      refuse(reply, error)
    }
  }

  private cut(stream: OpenStream): void {
    this.streams.delete(stream)
    stream.cut()
  }

  private route(request: ApiRequest, reply: Reply) {
    const { url } = request
    const target = targetOf(request.method, url)
    const fate = this.faults.judge(target?.access ?? { verb: 'get', group: '', resource: url.pathname })
    if (fate === 'silent') return
    if (fate === 'down') return reply.drop()
    if (fate === 'throttle') {
      const { retryAfter: retryAfterSeconds } = this.faults
      const words = 'too many requests, please try again later'
      return refuse(reply, new ApiStatus('TooManyRequests', words, { retryAfterSeconds }), {
        'retry-after': String(retryAfterSeconds),
      })
    }
    if (fate === 'error') return refuse(reply, new ApiStatus('InternalError', 'etcdserver: request timed out'))
    if (target !== undefined && target.access.verb === 'watch') return this.watch(target, url, reply)
    if (target?.subresource === 'log' && url.searchParams.get('follow') === 'true') {
      return fate === 'lost' ? reply.drop() : this.follow(target, url, reply)
    }
    const result = this.carryOut(request, target)
    if (fate === 'lost') return reply.drop()
    reply.answer(result.code, result.body)
  }

  private carryOut(
    { method, url, body, type, accept = '' }: ApiRequest,
    target: Target | undefined,
  ): { readonly code: number; readonly body: object | string } {
    const { api } = this
    if (url.pathname === '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews') {
      return { code: 201, body: api.review(body) }
    }
    if (target === undefined) return { code: 200, body: discovered(url.pathname) }
    const { resource, namespace, name, subresource, access } = target
    api.authorize(access)
    const dryRun = url.searchParams.get('dryRun') === 'All'
    if (name === undefined) {
      if (method === 'GET') return { code: 200, body: asAsked(api.list(resource, namespace, url.searchParams), accept) }
      if (method === 'POST') return { code: 201, body: api.create(resource, namespace, body, { dryRun }) }
      throw new ApiStatus('MethodNotAllowed', `${method} is not supported here`)
    }
    if (subresource === 'log' && resource === PODS) {
      return { code: 200, body: api.podLog(api.store.get(resource, namespace, name), url.searchParams) }
    }
    if (subresource !== undefined) throw new ApiStatus('NotFound', 'the server could not find the requested resource')
    if (method === 'GET') return { code: 200, body: api.store.get(resource, namespace, name) }
    if (method === 'DELETE') return { code: 200, body: api.delete(resource, namespace, name, body) }
    if (method === 'PUT') return { code: 200, body: api.replace(resource, namespace, name, body, { dryRun }) }
    if (method === 'PATCH' && type === 'application/merge-patch+json') {
      return { code: 200, body: api.patch(resource, namespace, name, body, { dryRun }) }
    }
    throw new ApiStatus('MethodNotAllowed', `${method} with ${type} is not supported here`)
  }

  private follow({ access, resource, namespace, name = '' }: Target, { searchParams }: URL, reply: Reply): void {
    this.api.authorize(access)
    const pod = this.api.store.get(resource, namespace, name)
    let forget = () => {}
    const stream = reply.stream(() => forget())
    forget = this.api.followLog(pod, searchParams, (text) => {
      stream.send(text)
      stream.end()
    })
  }

  private watch({ access, resource, namespace }: Target, url: URL, reply: Reply): void {
    this.api.authorize(access)
    const query = url.searchParams
    const request = {
      resource,
      namespace,
      matches: selectorOf(query.get('labelSelector')),
      resourceVersion: query.get('resourceVersion') ?? '',
      bookmarks: query.get('allowWatchBookmarks') === 'true',
    }
    const isOld = oldVersion(this.api, request.resourceVersion)
    if (isOld !== undefined && this.faults.expiredAs === 'status') throw isOld
    let forget = () => {}
    const stream = reply.stream(() => {
      this.streams.delete(stream)
      forget()
    })
    const watch = new Watch(
      this.api.store,
      request,
      (line) => stream.send(line),
      () => this.cut(stream),
      (index) => this.faults.judgeEvent(index),
    )
    this.streams.set(stream, watch)
    const seconds = Number(query.get('timeoutSeconds') ?? '1800')
    forget = this.after(seconds * 1_000, () => {
      this.streams.delete(stream)
      stream.end()
    })
    if (isOld !== undefined) watch.expire(isOld)
    else watch.begin()
  }
}

function oldVersion(api: KubeApi, version: string): ApiStatus | undefined {
  if (version === '' || version === '0') return undefined
  try {
    api.store.since(version)
    return undefined
  } catch (error) {
    return isStatus(error) && error.reason === 'Expired' ? error : expired(version, 0)
  }
}

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }

function targetOf(method: string, { pathname, searchParams }: URL): Target | undefined {
  const parts = /^\/(?:api|apis\/([^/]+))\/([^/]+)\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(
    pathname,
  )
  if (parts === null) return undefined
  const [, group = '', version, namespace = '', plural, name, subresource] = parts
  const resource = RESOURCES.find((one) => one.group === group && one.version === version && one.plural === plural)
  if (resource === undefined) throw new ApiStatus('NotFound', 'the server could not find the requested resource')
  const reads = name !== undefined ? 'get' : searchParams.get('watch') === 'true' ? 'watch' : 'list'
  const verb = VERBS[method] ?? reads
  return {
    resource,
    namespace,
    name,
    subresource,
    access: { verb, group, resource: resource.plural, subresource, namespace, name },
  }
}

/** Returns the list; or a list of only the objects' metadata if the caller accepts that form. */
function asAsked(list: Fields, accept: string): Fields {
  if (!/;as=PartialObjectMetadataList(;|,|$)/.test(accept)) return list
  const of = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' }
  const items = list.items.map(({ metadata }: Fields) => ({ ...of, metadata }))
  // The platform sends null for an empty list of metadata.
  return { ...list, apiVersion: of.apiVersion, kind: `${of.kind}List`, items: items.length === 0 ? null : items }
}

/** Sends an error to the caller as a Kubernetes `Status`. */
export function refuse(reply: Reply, error: unknown, headers?: Readonly<Record<string, string>>): void {
  const status = isStatus(error) ? error : internal(error)
  reply.answer(status.code, status, headers)
}

const internal = (error: unknown): ApiStatus =>
  new ApiStatus('InternalError', error instanceof Error ? (error.stack ?? error.message) : String(error))
