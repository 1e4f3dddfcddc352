import type { ServerLogLine } from '@matchyard/core/ports'
import { KEPT_ATTEMPTS } from '../../kit/index'
import type { KubeClient } from '../kube/client'
import { ApiRefusal, isRefused } from '../kube/errors'
import { SECRETS } from '../kube/resources'
import type { KubeItem, SecretItem } from '../kube/shapes'
import { isLater } from '../kube/versions'
import { hashOf, installationSelector, LABEL, labelValue, noteName } from '../names'
import { type EndedNote, packed, unpacked, withLines } from './ended-note'

/** Notes that are lost to another service's write are written again. */
const TRIES = 5
const DELETED_AT_ONCE = 8
/** Where few are kept they are not counted after each. */
const LEAST_ADDED = 10

/**
 * Notes are kept in the cluster, as secrets (a log may hold what is nobody's business): they are there for every node of the service, and
 * for the next one. No more of them than are kept, and a tenth for each node that is about to look.
 */
export class Notes {
  /** Since they were pruned by what was added here. */
  private added = 0
  private isPruning = false
  private readonly prunedEvery: number

  constructor(
    private readonly client: KubeClient,
    private readonly installationId: string,
    /** Of one note's lines, compressed. */
    private readonly logBytes: number,
    private readonly kept: number,
  ) {
    this.prunedEvery = Math.max(LEAST_ADDED, Math.floor(kept / 10))
  }

  async read(instanceId: string): Promise<EndedNote> {
    return noteIn(await this.secretOf(instanceId))
  }

  /** An attempt was put away; with its lines, where they were not heard before. */
  add(instanceId: string, attempt: number, lines: readonly ServerLogLine[]): Promise<void> {
    return this.change(instanceId, (note) => {
      if (note.attempts.includes(attempt)) return note
      const heard = withLines(note, attempt, lines)
      return { ...heard, attempts: [...note.attempts, attempt].sort((a, b) => a - b).slice(-KEPT_ATTEMPTS) }
    })
  }

  /** What an attempt said to its end, whether or not it was put away meanwhile. */
  hear(instanceId: string, attempt: number, lines: readonly ServerLogLine[]): Promise<void> {
    return this.change(instanceId, (note) => withLines(note, attempt, lines))
  }

  /** The oldest go, where there are more than are kept. They are read without what they hold, which may be hundreds of megabytes. */
  async prune(): Promise<void> {
    const selector = `${installationSelector(this.installationId)},${LABEL.note}=ended`
    const { items } = await this.client.listMetadata(SECRETS, selector)
    const oldest = [...items].sort(byAge).slice(this.kept).reverse()
    const left = oldest.values()
    const deleting = async () => {
      // One that was written since holds what is new.
      for (const { metadata } of left) await this.client.deleteAsSeen(SECRETS, metadata)
    }
    await Promise.all(Array.from({ length: DELETED_AT_ONCE }, deleting))
  }

  /** Whoever prunes by time may come after thousands: where many end, and log much, they would fill the cluster's own storage. */
  private async pruneAdded(): Promise<void> {
    if (this.isPruning) return
    this.isPruning = true
    while (this.added >= this.prunedEvery) {
      this.added = 0
      // What hinders it is told by whoever prunes by time.
      await this.prune().catch(() => {})
    }
    this.isPruning = false
  }

  private async change(instanceId: string, made: (note: EndedNote) => EndedNote): Promise<void> {
    for (let tries = 1; ; tries++) {
      const before = await this.secretOf(instanceId)
      const note = await noteIn(before)
      const after = made(note)
      if (after === note) return
      const bytes = await packed(after, this.logBytes)
      try {
        await this.write(instanceId, before, { note: bytes.toString('base64') })
        break
      } catch (error) {
        if (!isRefused(error, 409) || tries === TRIES) throw error
      }
    }
    this.added++
    void this.pruneAdded()
  }

  private async write(
    instanceId: string,
    before: SecretItem | undefined,
    data: Readonly<Record<string, string>>,
  ): Promise<void> {
    if (before === undefined) return void (await this.client.create(SECRETS, { ...this.empty(instanceId), data }))
    const { name, resourceVersion } = before.metadata
    const after = await this.client.patch(SECRETS, name, { metadata: { resourceVersion }, data })
    if (after === undefined) throw new ApiRefusal(409, 'Conflict', `the note ${name} was pruned meanwhile`, undefined)
  }

  private secretOf(instanceId: string): Promise<SecretItem | undefined> {
    return this.client.get<SecretItem>(SECRETS, noteName(this.installationId, instanceId))
  }

  private empty(instanceId: string) {
    const labels = {
      [LABEL.installation]: hashOf(this.installationId, 40),
      [LABEL.instance]: labelValue(instanceId),
      [LABEL.note]: 'ended',
    }
    return { apiVersion: 'v1', kind: 'Secret', metadata: { name: noteName(this.installationId, instanceId), labels } }
  }
}

const noteIn = (secret: SecretItem | undefined): Promise<EndedNote> =>
  unpacked(Buffer.from(secret?.data?.note ?? '', 'base64'))

/** The newest first. Times are told in whole seconds; of one second is newer what was written later. */
const byAge = (a: KubeItem, b: KubeItem): number =>
  createdAt(b) - createdAt(a) || (isLater(a.metadata.resourceVersion, b.metadata.resourceVersion) ? -1 : 1)

const createdAt = ({ metadata }: KubeItem): number => Date.parse(metadata.creationTimestamp ?? '') || 0

/** Whether an attempt was launched before and put away: by its note, or because it is older than all that are kept. */
export const wasLaunched = ({ attempts }: EndedNote, attempt: number): boolean =>
  attempts.includes(attempt) || (attempts.length >= KEPT_ATTEMPTS && attempt < Math.min(...attempts))
