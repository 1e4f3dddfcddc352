import type { TierSize } from '@matchyard/core'
import type { Container, ContainerInfo } from 'dockerode'
import { asking, askingUnless, type Engine } from './engine'
import { type FrontPort, frontsIn, LABEL, type LaunchMark, launchMark, markOfName, namesOf, sizeOf } from './labels'

export interface FoundContainer extends LaunchMark {
  readonly id: string
  /**
   * The state of the container, in the engine's words: created, running, paused, restarting, removing, exited, dead.
   */
  readonly state: string
  readonly createdAt: number
  /** Paths on this machine of the folders and files that are mounted into the container. */
  readonly sources: readonly string[]
  /** CPUs and memory of the container that count towards the limits of the node. */
  readonly tierSize: TierSize
  /** Ports of the container that have a TLS front. */
  readonly fronts: readonly FrontPort[]
  /** The id of the warm server that became this container; absent for other containers. */
  readonly warmId?: string
}

/** The container of a warm server that no launch has taken. */
export interface WaitingContainer extends Omit<FoundContainer, keyof LaunchMark | 'warmId'> {
  readonly warmId: string
  readonly name: string
  /** The `poolHash` of the server's pool. */
  readonly pool: string
  readonly ports: readonly number[]
}

/**
 * Lists and removes the containers of one installation. It finds them by their labels: the engine's list of containers
 * is the only record of them.
 */
export class Containers {
  constructor(
    readonly engine: Engine,
    private readonly installationId: string,
  ) {}

  /** Returns all launched containers, or those of one instance, sorted by attempt. */
  async list(instanceId?: string): Promise<FoundContainer[]> {
    const rows = instanceId === undefined ? await this.rows() : await this.rowsOf(instanceId)
    const found = rows.flatMap((row) => this.foundOf(row))
    const wanted = instanceId === undefined ? found : found.filter((one) => one.instanceId === instanceId)
    return wanted.sort((a, b) => a.attempt - b.attempt)
  }

  /** Returns the warm servers, oldest first, and the launched containers that came from a pool. */
  async listWarm(): Promise<{ waiting: WaitingContainer[]; launched: { pool: string; found: FoundContainer }[] }> {
    const rows = await this.rows([LABEL.warm])
    const launched = rows.flatMap((row) =>
      this.foundOf(row).map((found) => ({ pool: row.Labels?.[LABEL.warm] ?? '', found })),
    )
    const waiting = rows.filter((row) => this.foundOf(row).length === 0).flatMap(waitingOf)
    return { waiting: waiting.sort((a, b) => a.createdAt - b.createdAt), launched }
  }

  /**
   * Finds the containers of an instance by the instance label; and taken warm servers by name, because only their name
   * contains the instance id.
   */
  private async rowsOf(instanceId: string): Promise<ContainerInfo[]> {
    const [labelled, named] = await Promise.all([
      this.rows([`${LABEL.instance}=${instanceId}`]),
      this.rows([LABEL.warm], [namesOf(this.installationId, instanceId)]),
    ])
    return [...labelled, ...named]
  }

  private rows(labels: readonly string[] = [], name?: string[]): Promise<ContainerInfo[]> {
    const label = [`${LABEL.installation}=${this.installationId}`, ...labels]
    const filters = name === undefined ? { label } : { label, name }
    return asking(this.engine.api.listContainers({ all: true, filters }))
  }

  private foundOf(row: ContainerInfo): FoundContainer[] {
    const isWarm = row.Labels?.[LABEL.warm] !== undefined
    const mark = isWarm ? markOfName(this.installationId, nameOf(row)) : launchMark(row.Labels)
    if (mark === undefined) return []
    const warmId = row.Labels?.[LABEL.warmId]
    return [{ ...mark, ...partsOf(row), ...(warmId === undefined ? {} : { warmId }) }]
  }

  of(found: { readonly id: string }): Container {
    return this.engine.api.getContainer(found.id)
  }

  /** Removes an unstarted container. Returns false, and removes nothing, when the container has started. */
  async removeUnstarted(found: { readonly id: string }): Promise<boolean> {
    // Without force, the engine refuses the removal when another process has started the container before.
    const removed = askingUnless(this.of(found).remove({ v: true }).then(() => true), 404) // biome-ignore format: one thought
    return removed
      .then((done) => done ?? true)
      .catch((error: unknown) => {
        if (error instanceof Error && 'statusCode' in error && error.statusCode === 409) return false
        throw error
      })
  }

  async remove(found: { readonly id: string }): Promise<void> {
    await askingUnless(this.of(found).remove({ force: true, v: true }), 404, 409)
  }

  /** Removes containers that remained after an interrupted check of an image. */
  async removeScratch(): Promise<void> {
    const filters = { label: [`${LABEL.scratch}=${this.installationId}`] }
    for (const { Id } of await asking(this.engine.api.listContainers({ all: true, filters }))) {
      await askingUnless(this.engine.api.getContainer(Id).remove({ force: true, v: true }), 404, 409)
    }
  }
}

export const isAlive = ({ state }: { readonly state: string }): boolean =>
  ['running', 'paused', 'restarting'].includes(state)
/** Whether the container was created, but not started. */
export const isUnstarted = ({ state }: { readonly state: string }): boolean => state === 'created'
/** Whether the container runs or may start, so that it counts towards the limits of the node. */
export const takesRoom = (found: { readonly state: string }): boolean => isAlive(found) || isUnstarted(found)
/** Whether the container has run and exited. A container in the state removing or dead may never have run. */
export const hasEnded = ({ state }: { readonly state: string }): boolean => state === 'exited'

const nameOf = ({ Names }: ContainerInfo): string => (Names?.[0] ?? '').replace(/^\//, '')

const partsOf = ({ Id, State, Created, Labels, Mounts }: ContainerInfo) => ({
  id: Id,
  state: State,
  createdAt: Created * 1_000,
  sources: (Mounts ?? []).map(({ Source }) => Source),
  tierSize: sizeOf(Labels),
  fronts: frontsIn(Labels?.[LABEL.fronts]),
})

function waitingOf(row: ContainerInfo): WaitingContainer[] {
  const { [LABEL.warm]: pool, [LABEL.warmId]: warmId, [LABEL.ports]: ports = '' } = row.Labels ?? {}
  if (pool === undefined || warmId === undefined || !/^[0-9a-f]+$/.test(warmId)) return []
  const numbers = ports.split(' ').filter((port) => port !== '')
  return [{ ...partsOf(row), name: nameOf(row), pool, warmId, ports: numbers.map(Number) }]
}
