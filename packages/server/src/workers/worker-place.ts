import cluster from 'node:cluster'
import type { Orchestrator, Timers } from '@matchyard/core/ports'
import type { Place, Served } from '../service/place'
import type { HeardSignal } from '../service/signals'
import { Channel } from './channel'
import { answersOf, orchestratorElsewhere } from './orchestrator-elsewhere'
import { FIRST, OF_GAME_SERVERS_WITHIN_MS, type OfPrimary, type OfWorker } from './words'

/** Timeout in milliseconds of questions that the primary answers by itself, without asking workers. */
const PRIMARY_WITHIN_MS = 5_000
/** Timeout in milliseconds of the question for the metrics page, because the primary asks every worker. */
const PAGE_WITHIN_MS = 10_000
/** Environment variable with the number of the worker. Only the primary sets it. */
export const WORKER_NUMBER = 'MATCHYARD_WORKER_NUMBER'

/** Role of a process that is one of several processes of a node on one port, with its channel to the primary. */
export class WorkerPlace implements Place {
  private served: Served | undefined
  private onStop: HeardSignal = () => {}
  private readonly primary: Channel<OfPrimary, OfWorker>

  constructor(
    readonly number: number,
    wire: ConstructorParameters<typeof Channel>[0],
    timers: Timers,
  ) {
    this.primary = new Channel<OfPrimary, OfWorker>(wire, timers, {
      figures: async () => (await this.served?.figures()) ?? [],
      stop: async (signal) => void this.onStop(signal),
      logs: (given) => this.gameServers().logs(given),
      prepareImage: (given) => this.gameServers().prepareImage(given),
      prune: () => this.gameServers().prune(),
    })
  }

  get isFirst(): boolean {
    return this.number === FIRST
  }

  nodeIdOf(node: string): string {
    return this.isFirst ? node : `${node}/${this.number}`
  }

  hearStop(listener: HeardSignal): void {
    this.onStop = listener
  }

  serve(served: Served): void {
    this.served = served
  }

  async orchestrator(node: string): Promise<Orchestrator | undefined> {
    const described = await this.primary.ask('orchestrator', undefined, PRIMARY_WITHIN_MS)
    if (described === null) return undefined
    return orchestratorElsewhere(described, node, (name, given) =>
      this.primary.ask(name, given, OF_GAME_SERVERS_WITHIN_MS[name]),
    )
  }

  async tellUp(baseUrl: string): Promise<void> {
    const orchestrator = this.served?.orchestrator
    const described = orchestrator && {
      name: orchestrator.name,
      ...(orchestrator.sharedAs === undefined ? {} : { sharedAs: orchestrator.sharedAs }),
      buildTypes: orchestrator.capabilities.buildTypes,
      keepsWarm: orchestrator.capabilities.keepsWarm,
      keepsSecretsCold: orchestrator.capabilities.keepsSecretsCold === true,
      ...(orchestrator.capabilities.endsTls === undefined ? {} : { endsTls: orchestrator.capabilities.endsTls }),
      ...(orchestrator.regions === undefined ? {} : { regions: orchestrator.regions }),
      ...(orchestrator.limits === undefined ? {} : { limits: orchestrator.limits }),
    }
    await this.primary.ask('up', { baseUrl, orchestrator: described ?? null }, PRIMARY_WITHIN_MS)
  }

  page(): Promise<string> {
    return this.primary.ask('page', undefined, PAGE_WITHIN_MS)
  }

  private gameServers() {
    if (this.served?.orchestrator === undefined) throw new Error('this installation runs no game servers')
    return answersOf(this.served.orchestrator)
  }
}

/** Returns the role of this process; undefined when the process is the whole node. */
export function workerPlaceOf(environment: NodeJS.ProcessEnv, timers: Timers): WorkerPlace | undefined {
  const number = Number(environment[WORKER_NUMBER])
  if (!cluster.isWorker || !(number >= FIRST)) return undefined
  // Processes that this process starts must not inherit the variable.
  delete environment[WORKER_NUMBER]
  return new WorkerPlace(
    number,
    {
      send: (message) => void process.send?.(message, undefined, undefined, () => {}),
      listen: (listener) => process.on('message', listener),
    },
    timers,
  )
}
