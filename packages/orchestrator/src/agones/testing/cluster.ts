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

/** Time, as the cluster knows it; a test's own makes it pass without waiting. */
export interface ClusterTime {
  now(): number
  /** Calls back after a time; answers how to forget that. */
  after(ms: number, work: () => void): () => void
}

export interface TestClusterOptions {
  readonly time?: ClusterTime
  /** What runs in its pods; left out, containers of nothing that run until they are stopped. */
  readonly runtime?: Runtime
  readonly nodes?: readonly Pick<Node, 'name' | 'address'>[]
  readonly freePort?: (taken: ReadonlySet<number>, protocol: string) => number
  /** Between a change and what a controller makes of it; called for each, where it is a function. */
  readonly stepMs?: number | (() => number)
  /** What objects are told apart by; left out, random. */
  readonly newId?: () => string
  /** The certificate of its interface; left out, it speaks plain HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

export interface TestCluster {
  readonly url: string
  readonly namespace: string
  /** A kubeconfig with one context of each given name, all of this cluster. */
  kubeconfig(...contexts: string[]): string
  readonly api: KubeApi
  readonly server: ApiServer
  readonly kubelet: Kubelet
  readonly agones: AgonesController
  close(): Promise<void>
}

export interface ClusterParts extends Pick<TestCluster, 'api' | 'kubelet' | 'agones'> {
  readonly requests: Requests
  /** Nothing happens in it from now on. */
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

/** A cluster with Agones on it: a real HTTP server that keeps to the rules of both. */
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

/** The same to which calls come by `requests` alone, in this process and at once. */
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

/** A kubeconfig by which a test cluster is reached. */
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

/** Containers that run until they are asked to stop, and stop at once. */
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
