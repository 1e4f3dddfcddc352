import type { ServerLogLine } from '@matchyard/core/ports'
import { KEPT_ATTEMPTS } from '../../kit/index'
import type { KubeClient } from '../kube/client'
import { ApiRefusal, isRefused } from '../kube/errors'
import { SECRETS } from '../kube/resources'
import type { KubeItem, SecretItem } from '../kube/shapes'
import { isLater } from '../kube/versions'
import { hashOf, installationSelector, LABEL, labelValue, noteName } from '../names'
import { type EndedNote, packed, unpacked, withLines } from './ended-note'

/** Number of tries to write a note while another process writes the same note. */
const TRIES = 5
const DELETED_AT_ONCE = 8
/** Minimum number of notes that are written between two prunings, even when the service keeps only a few notes. */
const LEAST_ADDED = 10

/**
 * Notes about ended instances, stored in the cluster for all nodes and for later processes of the service. They are
 * Kubernetes secrets, because a log may contain confidential data. Each node may exceed the number of kept notes by a
 * tenth, and by at least 10, until it prunes.
 */
export class Notes {
  /** Number of notes that this process wrote since its last pruning. */
  private added = 0
  private isPruning = false
  private readonly prunedEvery: number

  constructor(
    private readonly client: KubeClient,
    private readonly installationId: string,
    /** Maximum size of one note in bytes, compressed. */
    private readonly logBytes: number,
    private readonly kept: number,
  ) {
    this.prunedEvery = Math.max(LEAST_ADDED, Math.floor(kept / 10))
  }

  async read(instanceId: string): Promise<EndedNote> {
    return noteIn(await this.secretOf(instanceId))
  }

  /**
   * Records that the game server of an attempt is removed, and adds the attempt's log lines unless the note already
   * contains them.
   */
  add(instanceId: string, attempt: number, lines: readonly ServerLogLine[]): Promise<void> {
    return this.change(instanceId, (note) => {
      if (note.attempts.includes(attempt)) return note
      const heard = withLines(note, attempt, lines)
      return { ...heard, attempts: [...note.attempts, attempt].sort((a, b) => a - b).slice(-KEPT_ATTEMPTS) }
    })
  }

  /**
   * Adds the log lines of an attempt whose log was followed to its end, even when the attempt's game server has been
   * removed meanwhile.
   */
  hear(instanceId: string, attempt: number, lines: readonly ServerLogLine[]): Promise<void> {
    return this.change(instanceId, (note) => withLines(note, attempt, lines))
  }

  /**
   * Deletes the oldest notes beyond the number that is kept. The method lists only the metadata of notes, because all
   * notes together may take hundreds of megabytes.
   */
  async prune(): Promise<void> {
    const selector = `${installationSelector(this.installationId)},${LABEL.note}=ended`
    const { items } = await this.client.listMetadata(SECRETS, selector)
    const oldest = [...items].sort(byAge).slice(this.kept).reverse()
    const left = oldest.values()
    const deleting = async () => {
      // A note that was written after the list was read contains new lines, so it is not deleted.
      for (const { metadata } of left) await this.client.deleteAsSeen(SECRETS, metadata)
    }
    await Promise.all(Array.from({ length: DELETED_AT_ONCE }, deleting))
  }

  /**
   * Prunes the notes after every `prunedEvery` written notes. The periodic pruning may come only after thousands of
   * notes, which would fill the cluster's storage.
   */
  private async pruneAdded(): Promise<void> {
    if (this.isPruning) return
    this.isPruning = true
    while (this.added >= this.prunedEvery) {
      this.added = 0
      // Errors are ignored here, because the periodic pruning reports them.
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

/**
 * Sorts notes, the newest first. Creation times are whole seconds; within one second, the object that was written later
 * counts as newer.
 */
const byAge = (a: KubeItem, b: KubeItem): number =>
  createdAt(b) - createdAt(a) || (isLater(a.metadata.resourceVersion, b.metadata.resourceVersion) ? -1 : 1)

const createdAt = ({ metadata }: KubeItem): number => Date.parse(metadata.creationTimestamp ?? '') || 0

/**
 * Whether an attempt was launched before and its game server was removed. This is so when the note contains the
 * attempt, or when the attempt is older than all attempts of a full note.
 */
export const wasLaunched = ({ attempts }: EndedNote, attempt: number): boolean =>
  attempts.includes(attempt) || (attempts.length >= KEPT_ATTEMPTS && attempt < Math.min(...attempts))
