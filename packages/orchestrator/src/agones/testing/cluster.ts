import { gameServerAdmission, metadataAdmission, podAdmission } from './agones/admission'
import { allocate } from './agones/allocations'
import { AgonesController } from './agones/controller'
import { allocationAdmission, fleetAdmission } from './agones/fleet-admission'
import { Fleets } from './agones/fleets'
import { KubeApi } from './kubernetes/api'
import { ApiServer, TOKEN } from './kubernetes/api-server'
import { Kubelet, type Runtime } from './kubernetes/kubelet'
import { Requests } from './kubernetes/requests'
import type { Node } from './kubernetes/scheduler'
import { ObjectStore } from './kubernetes/store'

/** Clock and timers of a cluster. A test can pass its own, so that time passes without waiting. */
export interface ClusterTime {
  now(): number
  /** Calls `work` after some milliseconds. Returns a function that cancels the call. */
  after(ms: number, work: () => void): () => void
}

export interface TestClusterOptions {
  readonly time?: ClusterTime
  /** Runs the containers of pods. Default: containers that do nothing until they are stopped. */
  readonly runtime?: Runtime
  readonly nodes?: readonly Pick<Node, 'name' | 'address'>[]
  readonly freePort?: (taken: ReadonlySet<number>, protocol: string) => number
  /** Milliseconds between a change and a controller's reaction to it; a function is called for each reaction. */
  readonly stepMs?: number | (() => number)
  /** Returns an id for a new object. Default: a random UUID. */
  readonly newId?: () => string
  /** Private key and certificate of the server. Default: HTTP without TLS. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

export interface TestCluster {
  readonly url: string
  readonly namespace: string
  /** Returns a kubeconfig with one context for each given name; all contexts connect to this cluster. */
  kubeconfig(...contexts: string[]): string
  readonly api: KubeApi
  readonly server: ApiServer
  readonly kubelet: Kubelet
  readonly agones: AgonesController
  close(): Promise<void>
}

export interface ClusterParts extends Pick<TestCluster, 'api' | 'kubelet' | 'agones'> {
  readonly requests: Requests
  /** Stops the cluster: from now on, nothing changes in it by itself. */
  stop(): void
}

const BOOKMARK_EVERY_MS = 60_000
const FIRST_PORT = 7_000
const NAMESPACE = 'games'

export const REAL_TIME: ClusterTime = {
  now: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Starts a cluster with Agones: an HTTP server that keeps the rules of Kubernetes and of Agones. */
export async function testCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const { stop, requests, ...parts } = clusterWithoutSocket(options)
  const server = new ApiServer(requests, options.tls)
  const url = await server.listen()
  return {
    ...parts,
    url,
    namespace: NAMESPACE,
    kubeconfig: (...contexts) => kubeconfigOf(url, contexts.length === 0 ? ['test'] : contexts),
    server,
    async close() {
      stop()
      await server.close()
    },
  }
}

/** Returns a cluster without an HTTP server: callers use `requests`, synchronously and within this process. */
export function clusterWithoutSocket(options: TestClusterOptions = {}): ClusterParts {
  const { time = REAL_TIME, stepMs = 1, runtime = idleRuntime(), freePort = firstFree } = options
  const nodes: Node[] = (options.nodes ?? [{ name: 'node-1', address: '127.0.0.1' }]).map((one) => ({
    ...one,
    capacity: Number.POSITIVE_INFINITY,
    cordoned: false,
  }))
  let isClosed = false
  const soon = (work: () => void) =>
    void time.after(typeof stepMs === 'number' ? stepMs : stepMs(), () => !isClosed && work())
  const api = new KubeApi(new ObjectStore(() => time.now(), options.newId))
  api.admissions.push(gameServerAdmission, fleetAdmission, allocationAdmission, podAdmission, metadataAdmission)
  const addressOf = (name: string) => nodes.find((node) => node.name === name)?.address ?? ''
  const now = () => time.now()
  const agones = new AgonesController(api, { addressOf, freePort, soon, now })
  const kubelet = new Kubelet(api, nodes, runtime, { now, soon })
  const after = (ms: number, work: () => void) => void time.after(ms, () => !isClosed && work())
  new Fleets(api, { now, soon, after, controller: agones })
  const requests = new Requests(api, (ms, work) => time.after(ms, work))
  const fate = () => requests.faults.judgeAllocation()
  api.allocate = (request, namespace) => allocate(api, request, namespace, { now, fate })
  const bookmark = () => {
    if (isClosed) return
    requests.bookmark()
    time.after(BOOKMARK_EVERY_MS, bookmark)
  }
  time.after(BOOKMARK_EVERY_MS, bookmark)
  const stop = () => {
    isClosed = true
  }
  return { api, requests, kubelet, agones, stop }
}

/** Returns a kubeconfig for a test cluster. */
export function kubeconfigOf(url: string, contexts: readonly string[]): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'cluster', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'service', user: { token: TOKEN } }],
    contexts: contexts.map((name) => ({
      name,
      context: { cluster: 'cluster', user: 'service', namespace: NAMESPACE },
    })),
    'current-context': contexts[0],
  })
}

const firstFree = (taken: ReadonlySet<number>): number => {
  let port = FIRST_PORT
  while (taken.has(port)) port++
  return port
}

/** Returns a runtime whose containers do nothing until they are asked to stop, and then end at once. */
export function idleRuntime(): Runtime {
  const running = new Map<string, (exit: { exitCode: number }) => void>()
  return {
    imageFault: () => undefined,
    start(pod, _files, ended) {
      running.set(pod.metadata.uid, ended)
      return undefined
    },
    rewrite() {},
    stop(uid) {
      const ended = running.get(uid)
      running.delete(uid)
      ended?.({ exitCode: 0 })
    },
    log: () => [],
    forget: (uid) => void running.delete(uid),
  }
}
