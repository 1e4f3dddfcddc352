import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Access } from './access'
import type { KubeApi } from './api'
import { discovered } from './discovery'
import { Faults } from './faults'
import { type Fields, PODS, RESOURCES, type Resource } from './objects'
import { selectorOf } from './selectors'
import { ApiStatus, expired } from './status'
import { isStatus, Watch } from './watches'

/** Who may call. */
export const TOKEN = 'the token of a service account'

interface Target {
  readonly access: Access
  readonly resource: Resource
  readonly namespace: string
  readonly name: string | undefined
  readonly subresource: string | undefined
}

/** The interface of Kubernetes over HTTP, as far as game servers are concerned. */
export class ApiServer {
  readonly faults = new Faults()
  private readonly server: Server = createServer((request, response) => void this.handle(request, response))
  private readonly streams = new Map<ServerResponse, Watch>()

  constructor(
    readonly api: KubeApi,
    /** Calls a function after a time; answers how to forget it. */
    private readonly after: (ms: number, work: () => void) => () => void,
  ) {
    api.store.subscribe((event) => {
      for (const watch of [...this.streams.values()]) watch.hear(event)
    })
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.cutWatches()
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  /** How many streams are open. */
  get watches(): number {
    return this.streams.size
  }

  cutWatches(): void {
    for (const response of [...this.streams.keys()]) this.cut(response)
  }

  bookmark(): void {
    for (const watch of this.streams.values()) watch.bookmark()
  }

  private cut(response: ServerResponse): void {
    this.streams.delete(response)
    response.socket?.destroySoon() // what was written is still sent
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', 'http://api')
      const body = await bodyOf(request)
      if (request.headers.authorization !== `Bearer ${TOKEN}`) throw new ApiStatus('Unauthorized', 'Unauthorized')
      this.route(request, url, body, response)
    } catch (error) {
      if (!response.headersSent) answer(response, isStatus(error) ? error : internal(error))
      else response.destroy()
    }
  }

  private route(request: IncomingMessage, url: URL, body: Fields, response: ServerResponse) {
    const method = request.method ?? 'GET'
    const target = targetOf(method, url)
    const fate = this.faults.judge(target?.access ?? { verb: 'get', group: '', resource: url.pathname })
    if (fate === 'down') return void response.destroy()
    if (fate === 'throttle') {
      response.setHeader('retry-after', String(this.faults.retryAfter))
      return answer(
        response,
        new ApiStatus('TooManyRequests', 'too many requests, please try again later', {
          retryAfterSeconds: this.faults.retryAfter,
        }),
      )
    }
    if (fate === 'error') return answer(response, new ApiStatus('InternalError', 'etcdserver: request timed out'))
    if (target !== undefined && target.access.verb === 'watch') return this.watch(target, url, response)
    const result = this.carryOut(method, url, body, target, request.headers['content-type'])
    if (fate === 'lost') return void response.destroy()
    answer(response, result.body, result.code)
  }

  private carryOut(method: string, url: URL, body: Fields, target: Target | undefined, type: string | undefined) {
    const { api } = this
    if (url.pathname === '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews') {
      return { code: 201, body: api.review(body) }
    }
    if (target === undefined) return { code: 200, body: discovered(url.pathname) }
    const { resource, namespace, name, subresource, access } = target
    api.authorize(access)
    const dryRun = url.searchParams.get('dryRun') === 'All'
    if (name === undefined) {
      if (method === 'GET') return { code: 200, body: api.list(resource, namespace, url.searchParams) }
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

  private watch({ access, resource, namespace }: Target, url: URL, response: ServerResponse): void {
    this.api.authorize(access)
    const query = url.searchParams
    const request = {
      resource,
      namespace,
      matches: selectorOf(query.get('labelSelector')),
      resourceVersion: query.get('resourceVersion') ?? '',
      bookmarks: query.get('allowWatchBookmarks') === 'true',
    }
    const send = (line: object) => void response.write(`${JSON.stringify(line)}\n`)
    const watch = new Watch(this.api.store, request, send, () => this.cut(response), this.faults.judgeEvent)
    const isOld = oldVersion(this.api, request.resourceVersion)
    if (isOld !== undefined && this.faults.expiredAs === 'status') throw isOld
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    this.streams.set(response, watch)
    const seconds = Number(query.get('timeoutSeconds') ?? '1800')
    const forget = this.after(seconds * 1_000, () => {
      this.streams.delete(response)
      response.end()
    })
    response.once('close', () => {
      this.streams.delete(response)
      forget()
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

async function bodyOf(request: IncomingMessage): Promise<Fields> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  try {
    return text === '' ? {} : (JSON.parse(text) as Fields)
  } catch {
    throw new ApiStatus('BadRequest', 'the object provided is unrecognized')
  }
}

function answer(
  response: ServerResponse,
  body: object | string,
  code = body instanceof ApiStatus ? body.code : 200,
): void {
  const isText = typeof body === 'string'
  response.writeHead(code, { 'content-type': isText ? 'text/plain' : 'application/json' })
  response.end(isText ? body : JSON.stringify(body))
}

const internal = (error: unknown): ApiStatus =>
  new ApiStatus('InternalError', error instanceof Error ? (error.stack ?? error.message) : String(error))
