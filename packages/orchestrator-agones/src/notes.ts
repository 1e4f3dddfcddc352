import { gunzipSync, gzipSync } from 'node:zlib'
import type { ServerLogLine } from '@matchyard/core/ports'
import { KEPT_ATTEMPTS } from '@matchyard/orchestrator-kit'
import { type KubeClient, SECRETS } from './kube/client'
import { isRefused } from './kube/errors'
import type { SecretItem } from './kube/shapes'
import { hashOf, installationSelector, LABEL, labelValue, noteName } from './names'

/** What stays of an instance whose game servers were put away: that they were launched, and their last words. */
export interface EndedNote {
  readonly attempts: readonly number[]
  readonly lines: readonly ServerLogLine[]
}

const NO_NOTE: EndedNote = { attempts: [], lines: [] }
/** Notes that are lost to another service's write are written again. */
const TRIES = 5

/**
 * Notes are kept in the cluster, as secrets (a log may hold what is nobody's business): they are there for every node of the service, and
 * for the next one.
 */
export class Notes {
  constructor(
    private readonly client: KubeClient,
    private readonly installationId: string,
    /** Of one note's lines, compressed. */
    private readonly logBytes: number,
    private readonly kept: number,
  ) {}

  async read(instanceId: string): Promise<EndedNote> {
    return noteIn(await this.secretOf(instanceId))
  }

  async add(instanceId: string, attempt: number, lines: readonly ServerLogLine[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      const before = await this.secretOf(instanceId)
      const note = noteIn(before)
      if (note.attempts.includes(attempt)) return
      const attempts = [...note.attempts, attempt].sort((a, b) => a - b).slice(-KEPT_ATTEMPTS)
      const data = this.encoded({ attempts, lines: [...note.lines, ...lines] })
      try {
        if (before === undefined) await this.client.create(SECRETS, { ...this.empty(instanceId), data })
        else {
          const { name, resourceVersion } = before.metadata
          await this.client.patch(SECRETS, name, { metadata: { resourceVersion }, data })
        }
        return
      } catch (error) {
        if (!isRefused(error, 409) || tries === TRIES) throw error
      }
    }
  }

  /** The oldest go, where there are more than are kept. */
  async prune(): Promise<void> {
    const selector = `${installationSelector(this.installationId)},${LABEL.note}=ended`
    const { items } = await this.client.list<SecretItem>(SECRETS, selector)
    const aged = [...items].sort((a, b) => createdAt(b) - createdAt(a))
    for (const { metadata } of aged.slice(this.kept)) await this.client.delete(SECRETS, metadata)
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

  /** The newest lines that fit. */
  private encoded({ attempts, lines }: EndedNote): Record<string, string> {
    for (let count = lines.length; ; count = Math.floor(count / 2)) {
      const packed = gzipSync(JSON.stringify({ attempts, lines: count === 0 ? [] : lines.slice(-count) }))
      if (packed.length <= this.logBytes || count === 0) return { note: packed.toString('base64') }
    }
  }
}

function noteIn(secret: SecretItem | undefined): EndedNote {
  try {
    const packed = Buffer.from(secret?.data?.note ?? '', 'base64')
    return packed.length === 0 ? NO_NOTE : (JSON.parse(gunzipSync(packed).toString()) as EndedNote)
  } catch {
    return NO_NOTE // somebody has edited it
  }
}

const createdAt = ({ metadata }: SecretItem): number => Date.parse(metadata.creationTimestamp ?? '') || 0

/** Whether an attempt was launched before and put away: by its note, or because it is older than all that are kept. */
export const wasLaunched = ({ attempts }: EndedNote, attempt: number): boolean =>
  attempts.includes(attempt) || (attempts.length >= KEPT_ATTEMPTS && attempt < Math.min(...attempts))
