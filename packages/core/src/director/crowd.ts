import { Explainer, type Explanation } from '@matchyard/matchmaking'
import { type QueueTicket, toEngine } from '../lobby/queue-ticket'
import type { Comparison } from '../node/comparison'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import { engineConfig } from '../queue/matchmaking'
import type { Queue } from '../queue/queue'
import { engineRegions } from '../reads/machines'

/**
 * Maximum number of waiting parties with which a ticket is compared. With this sample size, a share in the sample differs from the share
 * among all parties by at most 7 percentage points, in 19 of 20 cases.
 */
export const SAMPLED_TICKETS = 256
/** Maximum bytes of JSON of the sample. A sample of large parties has fewer tickets. */
export const SAMPLED_BYTES = 256 * 1024
/** Maximum milliseconds for which one explanation may occupy the event loop. The explanation then covers the parties examined so far. */
export const ANSWER_MS = 4
/** Maximum milliseconds per second for the explanations of one queue. Beyond them, each explanation compares only FEW_TICKETS parties. */
export const ANSWERS_MS = 50
export const FEW_TICKETS = 16
/** Maximum cached explanations of one queue. An explanation is cached for a second. */
const MAX_ANSWERS = 1_000

/** Sample of the tickets that wait in a queue, with cached explanations. A sample is used for one second. */
export class Crowd implements Comparison {
  private readonly answers = new Map<string, Explanation>()
  private spentMs = 0

  constructor(
    private readonly ctx: Ports,
    private readonly explainer: Explainer,
  ) {}

  explain(ticket: QueueTicket): Explanation {
    // The version of a ticket changes when the players of the party change.
    const key = `${ticket.id}/${ticket.version}`
    const known = this.answers.get(key)
    if (known !== undefined) return known
    const startedAt = this.ctx.clock.now()
    const answer = this.ask(ticket, startedAt)
    this.spentMs += this.ctx.clock.now() - startedAt
    if (this.answers.size < MAX_ANSWERS) this.answers.set(key, answer)
    return answer
  }

  private ask(ticket: QueueTicket, now: number): Explanation {
    const atMost = this.spentMs < ANSWERS_MS ? SAMPLED_TICKETS : FEW_TICKETS
    const steps = this.explainer.explain(toEngine(ticket), now, atMost)
    for (let step = steps.next(); ; step = steps.next(this.ctx.clock.now() - now >= ANSWER_MS)) {
      if (step.done === true) return step.value
    }
  }
}

/** Returns the sample of a queue; undefined for a queue without matchmaking. A node reads a sample at most once a second. */
export async function crowdOf(ctx: Service, queue: Queue): Promise<Comparison | undefined> {
  const regions = await engineRegions(ctx, queue)
  // A queue that was deleted and created again may have the same id and version, but it has another creation time.
  return ctx.node.crowds.get(
    `${queue.id} ${queue.createdAt} ${queue.version} ${regions.servedRegions ?? ''}`,
    async () => {
      if (queue.matchmaking === null) return undefined
      const [[waiting], sample] = await Promise.all([
        ctx.storage.tickets.waiting(queue.id),
        // One ticket more than needed, because the sample may contain the explained ticket itself.
        ctx.storage.tickets.sample(queue.id, SAMPLED_TICKETS + 1, SAMPLED_BYTES),
      ])
      return new Crowd(ctx, Explainer.of(engineConfig(queue, regions), sample.map(toEngine), waiting?.parties ?? 0))
    },
  )
}
