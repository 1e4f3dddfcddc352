import type { TierSize } from '@matchyard/core'
import type { Container, ContainerInfo } from 'dockerode'
import { asking, askingUnless, type Engine } from './engine'
import { LABEL, type LaunchMark, launchMark, sizeOf } from './labels'

export interface FoundContainer extends LaunchMark {
  readonly id: string
  /** The engine's word: created, running, paused, restarting, removing, exited, dead. */
  readonly state: string
  readonly createdAt: number
  /** Folders and files of this machine that are mounted. */
  readonly sources: readonly string[]
  /** What it takes of the node's room. */
  readonly tierSize: TierSize
}

/** The containers of one installation, by their labels: what the engine lists is the truth. */
export class Containers {
  constructor(
    readonly engine: Engine,
    private readonly installationId: string,
  ) {}

  /** All of them, or those of one instance, by attempt. */
  async list(instanceId?: string): Promise<FoundContainer[]> {
    const label = [`${LABEL.installation}=${this.installationId}`]
    if (instanceId !== undefined) label.push(`${LABEL.instance}=${instanceId}`)
    const rows = await asking(this.engine.api.listContainers({ all: true, filters: { label } }))
    return rows.flatMap(foundOf).sort((a, b) => a.attempt - b.attempt)
  }

  of(found: FoundContainer): Container {
    return this.engine.api.getContainer(found.id)
  }

  /** False when it had begun to run: then nothing is removed. */
  async removeUnstarted(found: FoundContainer): Promise<boolean> {
    // Without force: the engine decides between this and a start on its way.
    const removed = askingUnless(this.of(found).remove({ v: true }).then(() => true), 404) // biome-ignore format: one thought
    return removed
      .then((done) => done ?? true)
      .catch((error: unknown) => {
        if (error instanceof Error && 'statusCode' in error && error.statusCode === 409) return false
        throw error
      })
  }

  async remove(found: FoundContainer): Promise<void> {
    await askingUnless(this.of(found).remove({ force: true, v: true }), 404, 409)
  }

  /** What looking into images left when it was cut off. */
  async removeScratch(): Promise<void> {
    const filters = { label: [`${LABEL.scratch}=${this.installationId}`] }
    for (const { Id } of await asking(this.engine.api.listContainers({ all: true, filters }))) {
      await askingUnless(this.engine.api.getContainer(Id).remove({ force: true, v: true }), 404, 409)
    }
  }
}

export const isAlive = ({ state }: FoundContainer): boolean => ['running', 'paused', 'restarting'].includes(state)
/** Made, and not started (yet). */
export const isUnstarted = ({ state }: FoundContainer): boolean => state === 'created'
/** Runs, or may begin to. */
export const takesRoom = (found: FoundContainer): boolean => isAlive(found) || isUnstarted(found)
/** What is removing or dead is no container any more, and may never have run. */
export const hasEnded = ({ state }: FoundContainer): boolean => state === 'exited'

function foundOf({ Id, State, Created, Labels, Mounts }: ContainerInfo): FoundContainer[] {
  const mark = launchMark(Labels)
  if (mark === undefined) return []
  const sources = (Mounts ?? []).map(({ Source }) => Source)
  return [{ ...mark, id: Id, state: State, createdAt: Created * 1_000, sources, tierSize: sizeOf(Labels) }]
}
